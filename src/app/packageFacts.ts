import { readFileSync } from "node:fs";
import { parseJson } from "../lib/json.ts";
import { decodeArgs } from "../lib/kit/arg.ts";
import { textArg } from "../lib/kit/basicArgs.ts";

/** Data of package.json. */
export interface PackageFacts {
  readonly name: string;
  readonly version: string;
  readonly description: string;
}

const facts = { name: textArg(), version: textArg(), description: textArg() };

/** Reads package.json, two folders up, from the sources as from the build. */
export function readPackageFacts(): PackageFacts {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return decodeArgs(facts, Object(parseJson(text)));
}
