/** The steps from the root of a file to a value: keys of maps and positions in lists. */
export type YamlPath = ReadonlyArray<string | number>;

/** Something in a file that cannot be used. */
export interface YamlComplaint {
  readonly path: YamlPath;
  /** Completes the sentence that begins with the name of the value. */
  readonly message: string;
}
