/** What spoke characters that are charged: usage is broken down by it. */
export interface UsageLabels {
  readonly modelId: string;
  readonly voiceId: string;
}

/** What usage over time can be broken down by, besides time. */
export type UsageDimension = 'key' | 'model' | 'voice';

/** Characters charged for requests that began within an hour; long ago, within a day. */
export interface UsageEntry {
  /** Beginning of that hour or day (UTC), in milliseconds since 1970. */
  readonly fromMs: number;
  /** Id of the key, the model or the voice; empty where nothing is broken down. */
  readonly label: string;
  readonly characters: number;
}
