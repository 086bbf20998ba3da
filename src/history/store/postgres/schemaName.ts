/** Longer names would be cut by the database, those of its own are not for us, and `public` is for one network alone. */
const schemaName = /^(?!pg_|(?:public|information_schema)$)[a-z0-9][a-z0-9._-]{0,62}$/i;

/** Whether the schema of a network may have this name. */
export function isSchemaName(name: string): boolean {
  return schemaName.test(name);
}
