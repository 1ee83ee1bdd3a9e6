/** The tables as queries see them. Migrations make them; the two are kept in step by the contract tests. */
export interface Schema {
  api_key: {
    key_id: string;
    account_id: string;
    name: string;
    secret_hash: string;
    last_four: string;
    created_at_ms: number;
  };
  /** Which migrations this database has had. */
  migration: {
    name: string;
    applied_at_ms: number;
  };
}
