import type { Hash } from "../../../model/Hash.ts";
import { networkFact } from "../facts.ts";
import { openPostgres, type PostgresModules } from "./openPostgres.ts";

/** Whose tables are looked for, in a database that may hold those of several networks. */
export interface SchemaQuery {
  /** What the network's own schema is called, if it has a name for one. */
  readonly name: string | undefined;
  /** Whether others of this process are in the same database, so that each has a schema of its own. */
  readonly isShared: boolean;
  /** What the network is known by, if that is known. */
  readonly zeroState: Hash | undefined;
}

/**
 * The schema in which the tables of a network are, or are to be made; `undefined` is the one that the database itself
 * says. A schema of the network's name is always its own, so that programs that serve it alone find what one that
 * serves several has written; and what it had before others came into the database stays where it is.
 */
export async function findSchema(
  url: string,
  { name, isShared, zeroState }: SchemaQuery,
  modules: PostgresModules,
): Promise<string | undefined> {
  if (name === undefined) return undefined;
  const database = await openPostgres(url, modules, { readers: 1 });
  try {
    const isThere = async (table: string): Promise<boolean> => {
      const [row] = await database.query("select to_regclass($1) is not null as is_there", [table]);
      return row?.is_there === true;
    };
    if (await isThere(`"${name}".index_migrations`)) return name;
    if (!isShared) return undefined;
    if (zeroState === undefined || !(await isThere("index_facts"))) return name;
    const [fact] = await database.query("select value from index_facts where name = $1", [networkFact]);
    return fact?.value === zeroState ? undefined : name;
  } finally {
    await database.close();
  }
}
