/** Longer names are cut by the database, `pg_` names are reserved, and `public` is for a single network. */
const schemaName = /^(?!pg_|(?:public|information_schema)$)[a-z0-9][a-z0-9._-]{0,62}$/i;

/** Whether the schema of a network may have this name. */
export function isSchemaName(name: string): boolean {
  return schemaName.test(name);
}
