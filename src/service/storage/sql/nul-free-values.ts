import {
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type PrimitiveValueListNode,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
  type ValueNode,
} from 'kysely';

const NUL = '\0';
/** What Unicode puts in place of what cannot be shown. */
const REPLACEMENT = '\ufffd';

/**
 * Keeps U+0000 out of the database, which JSON can carry: PostgreSQL refuses it in text, and libsql
 * cuts a text off there. It is stored, and looked for, as U+FFFD.
 */
export class NulFreeValues implements KyselyPlugin {
  readonly #transformer = new NulReplacer();

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.#transformer.transformNode(node, queryId);
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result;
  }
}

class NulReplacer extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    return { ...node, value: withoutNul(node.value) };
  }

  protected override transformPrimitiveValueList(
    node: PrimitiveValueListNode,
  ): PrimitiveValueListNode {
    return { ...node, values: node.values.map(withoutNul) };
  }
}

function withoutNul<T>(value: T): T {
  if (typeof value !== 'string' || !value.includes(NUL)) return value;
  return value.replaceAll(NUL, REPLACEMENT) as T & string;
}
