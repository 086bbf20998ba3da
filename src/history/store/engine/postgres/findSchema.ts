import type { Hash } from "../../../../model/Hash.ts";
import { networkFact } from "../../schema/indexFacts.ts";
import { openPostgres, type PostgresModules } from "./openPostgres.ts";

/** The network whose tables are wanted, in a database that may hold several networks. */
export interface SchemaQuery {
  /** The name of the network's own schema, if it has one. */
  readonly name: string | undefined;
  /** Whether other networks of this process share the database, so that each has its own schema. */
  readonly isShared: boolean;
  /** The zero state of the network, if it is known. */
  readonly zeroState: Hash | undefined;
}

/**
 * The schema that holds the tables of a network, or will; `undefined` is the default one. A schema with the network's
 * name is always its own, so that a program that serves it alone finds what one that serves several has written; tables
 * that were there before other networks came stay where they are.
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
