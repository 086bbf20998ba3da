import { join } from "node:path";
import { isSchemaName } from "../../history/store/engine/postgres/schemaName.ts";
import type { AppConfig } from "../config.ts";
import { AppError } from "../errors.ts";
import type { NetworkPlan } from "../NetworkPlan.ts";
import { localName, networkName } from "./planNetworks.ts";

/** The settings that decide where indexes are. */
export type LocationConfig = Pick<AppConfig, "data" | "database" | "network" | "networks">;

type Named = Pick<NetworkPlan, "name">;

/** Where the tables of an index are. */
export type IndexLocation =
  | {
      readonly kind: "postgres";
      readonly url: string;
      /** The name of the network's own schema; none when the network's name cannot be a schema name. */
      readonly schema: string | undefined;
      /** Whether other networks of this process use the same database. */
      readonly isShared: boolean;
    }
  | { readonly kind: "embedded"; readonly folder: string };

/** Where the index of a network is; that of the local network belongs to its chain. */
export function indexLocation(config: LocationConfig, { name }: Named): IndexLocation {
  const { data } = config;
  const url = urlOf(config, name);
  if (url === undefined)
    return { kind: "embedded", folder: name === localName ? join(data, name, "index") : join(data, "index", name) };
  const names = new Set(config.network.map((given) => networkName(given, config.networks)));
  const isShared = [...names].some((other) => other !== name && urlOf(config, other) === url);
  return { kind: "postgres", url, schema: isSchemaName(name) ? name : undefined, isShared };
}

function urlOf({ database, networks }: LocationConfig, name: string): string | undefined {
  return (Object.hasOwn(networks, name) ? networks[name]?.database : undefined) ?? database;
}

/** Networks in one database have one schema each, named after the network. */
export function refuseNameless(config: LocationConfig, plans: readonly Named[]): void {
  for (const plan of plans) {
    const location = indexLocation(config, plan);
    if (location.kind === "postgres" && location.isShared && location.schema === undefined) {
      throw new AppError(
        "app/config",
        `the name of network ${plan.name} cannot be a schema of the shared database; give the network its own "database"`,
      );
    }
  }
}

/** The displayed place of an index, without its password; `schema` is the one it was found in. */
export function describeLocation(location: IndexLocation, schema?: string): string {
  if (location.kind === "embedded") return location.folder;
  const { hostname, port, pathname } = new URL(location.url);
  const where = `PostgreSQL at ${hostname}${port === "" ? "" : `:${port}`}${pathname}`;
  return schema === undefined ? where : `${where}, schema ${schema}`;
}
