import type { JsonSchema } from '../wire/json-schema.ts';

/** Schemas that stand once in a document, under their titles, however often they are used. */
export class Components {
  readonly #schemas = new Map<string, JsonSchema>();

  /** In the order of their names. */
  get schemas(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#schemas].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  /**
   * A schema as it stands in the document: every part that has a title is moved to the components.
   * @throws Error when two different schemas have the same title.
   */
  place(schema: JsonSchema): JsonSchema {
    const { title } = schema;
    if (title === undefined) return this.#placeParts(schema);
    const placed = this.#placeParts(schema);
    const known = this.#schemas.get(title);
    if (known && JSON.stringify(known) !== JSON.stringify(placed)) {
      throw new Error(`Two different schemas are called ${title}.`);
    }
    this.#schemas.set(title, placed);
    return { $ref: `#/components/schemas/${title}` };
  }

  #placeParts(schema: JsonSchema): JsonSchema {
    const { items, properties, anyOf, additionalProperties } = schema;
    return {
      ...schema,
      ...(items && { items: this.place(items) }),
      ...(anyOf && { anyOf: anyOf.map((part) => this.place(part)) }),
      ...(typeof additionalProperties === 'object' && {
        additionalProperties: this.place(additionalProperties),
      }),
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, part]) => [name, this.place(part)]),
        ),
      }),
    };
  }
}
