import { join } from "node:path";
import { isSchemaName } from "../../history/store/postgres/schemaName.ts";
import type { AppConfig } from "../config.ts";
import { AppError } from "../errors.ts";
import type { NetworkPlan } from "../NetworkPlan.ts";
import { localName, networkName } from "./planNetworks.ts";

/** The settings that decide where indexes are. */
export type PlaceConfig = Pick<AppConfig, "data" | "database" | "network" | "networks">;

type Named = Pick<NetworkPlan, "name">;

/** Where the tables of an index are. */
export type IndexPlace =
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
export function indexPlace(config: PlaceConfig, { name }: Named): IndexPlace {
  const { data } = config;
  const url = urlOf(config, name);
  if (url === undefined)
    return { kind: "embedded", folder: name === localName ? join(data, name, "index") : join(data, "index", name) };
  const names = new Set(config.network.map((given) => networkName(given, config.networks)));
  const isShared = [...names].some((other) => other !== name && urlOf(config, other) === url);
  return { kind: "postgres", url, schema: isSchemaName(name) ? name : undefined, isShared };
}

function urlOf({ database, networks }: PlaceConfig, name: string): string | undefined {
  return (Object.hasOwn(networks, name) ? networks[name]?.database : undefined) ?? database;
}

/** Networks in one database have one schema each, named after the network. */
export function refuseNameless(config: PlaceConfig, plans: readonly Named[]): void {
  for (const plan of plans) {
    const place = indexPlace(config, plan);
    if (place.kind === "postgres" && place.isShared && place.schema === undefined) {
      throw new AppError(
        "app/config",
        `the name of network ${plan.name} cannot be a schema of the shared database; give the network its own "database"`,
      );
    }
  }
}

/** The displayed place of an index, without its password; `schema` is the one it was found in. */
export function describePlace(place: IndexPlace, schema?: string): string {
  if (place.kind === "embedded") return place.folder;
  const { hostname, port, pathname } = new URL(place.url);
  const where = `PostgreSQL at ${hostname}${port === "" ? "" : `:${port}`}${pathname}`;
  return schema === undefined ? where : `${where}, schema ${schema}`;
}
