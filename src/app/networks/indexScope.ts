import { readFileSync, statSync } from "node:fs";
import { parseScope } from "../../history/scope/parseScope.ts";
import type { Scope } from "../../history/scope/Scope.ts";
import { isCoded } from "../../lib/errors.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import type { AppConfig } from "../config.ts";
import { AppError } from "../errors.ts";
import { findShipped } from "./shipped.ts";

/** Bytes of a scope file. */
const maxBytes = 16 << 20;

/** The scope that the configuration gives the index of a network, from its file; `undefined` for the whole chain. */
export function indexScope(
  { scope, networks }: Pick<AppConfig, "scope" | "networks">,
  { name, zeroState }: { readonly name: string; readonly zeroState: BlockIdExt | undefined },
): Scope | undefined {
  const path = (Object.hasOwn(networks, name) ? networks[name]?.scope : undefined) ?? scope;
  if (path === undefined) return undefined;
  const isTest = zeroState?.rootHash !== findShipped("mainnet")?.zeroState.rootHash;
  try {
    return parseScope(readScopeFile(path), { isTest });
  } catch (cause) {
    if (!isCoded(cause, "history/scope")) throw cause;
    throw new AppError("app/config", `the scope file ${path}: ${cause.message}`, { cause });
  }
}

function readScopeFile(path: string): string {
  try {
    const { size } = statSync(path);
    if (size > maxBytes)
      throw new AppError("app/config", `the scope file ${path} has ${size} bytes; the limit is ${maxBytes}`);
    return readFileSync(path, "utf8");
  } catch (cause) {
    if (isCoded(cause)) throw cause;
    const { message } = Object(cause) as { readonly message?: string };
    throw new AppError("app/config", `the scope file ${path} cannot be read: ${message}`, { cause });
  }
}
