/** The JSON Schema keywords that our schemas use, as far as somebody reads them by hand. */
export interface JsonSchema {
  readonly $ref?: string;
  /** Names a schema; in the OpenAPI document it stands among the components under this name. */
  readonly title?: string;
  /** Several where null may stand for "not given". */
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly contentMediaType?: string;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

/** The types that a schema allows, those of its alternatives included; none where it allows any. */
export function typesOf({ type, anyOf = [] }: JsonSchema): readonly string[] {
  const own = typeof type === 'string' ? [type] : (type ?? []);
  return [...own, ...anyOf.flatMap(typesOf)];
}
