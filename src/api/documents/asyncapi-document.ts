import type { JsonSchema } from '../wire/json-schema.ts';

/** The parts of an AsyncAPI 3 document that the docs page shows. */
export interface AsyncApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: Readonly<Record<string, Server>>;
  readonly channels: Readonly<Record<string, Channel>>;
  readonly operations: Readonly<Record<string, ChannelOperation>>;
  readonly components: {
    readonly messages: Readonly<Record<string, Message>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  };
  readonly 'x-errors': readonly ErrorRow[];
}

export interface Server {
  readonly host: string;
  readonly pathname?: string;
  readonly protocol: string;
  readonly description: string;
}

export interface Channel {
  readonly address: string;
  readonly title: string;
  readonly summary: string;
  readonly parameters: Readonly<Record<string, { readonly description: string }>>;
  readonly bindings: { readonly ws: { readonly query: JsonSchema } };
}

export interface ChannelOperation {
  readonly action: 'receive' | 'send';
  readonly channel: Reference;
  readonly messages: readonly Reference[];
}

/** A place elsewhere in the document, whose last step is the name of what stands there. */
export interface Reference {
  readonly $ref: string;
}

export interface Message {
  readonly title: string;
  readonly summary: string;
  readonly payload: Reference | { readonly allOf: readonly [Reference, object] };
  readonly examples: ReadonlyArray<{ readonly summary: string; readonly payload: object }>;
}

export interface SecurityScheme {
  readonly type: string;
  readonly in?: string;
  readonly name?: string;
  readonly description: string;
}

export interface ErrorRow {
  readonly error: string;
  readonly close: number;
  readonly http: number;
  readonly retry: boolean;
}

/** The name at the end of a reference; names are plain words here, so nothing needs decoding. */
export function referredName({ $ref }: Reference): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}
