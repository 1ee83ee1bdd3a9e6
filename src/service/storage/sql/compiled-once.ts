import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely';
import type { Schema } from './schema.ts';

/** Stands for a value that is not known yet. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query that is built once and run with other values each time: building it takes longer than most
 * databases take to run it, and some queries stand between a caller and the first word.
 */
export class CompiledOnce<Values extends object, Row> {
  readonly #query: CompiledQuery<Row>;

  /**
   * @param build makes the query. The values that it is given are placeholders: it may read them by name
   *   and pass them on to the query, as often and in whichever order, and do nothing else with them.
   */
  constructor(build: (values: Values) => Compilable<Row>) {
    const placeholders = new Proxy({} as Values, {
      get: (_target, name) => new Placeholder(String(name)),
    });
    this.#query = build(placeholders).compile();
  }

  /** @param database the one that it was built for, or a transaction of it. */
  run(database: Kysely<Schema>, values: Values): Promise<QueryResult<Row>> {
    const parameters = this.#query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    );
    return database.executeQuery({ ...this.#query, parameters });
  }
}
