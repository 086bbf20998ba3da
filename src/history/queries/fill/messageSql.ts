import type { Hash } from "../../../model/Hash.ts";
import { hash } from "../../store/schema/columns.ts";
import { firstBytes } from "../kit/Page.ts";
import type { Params } from "../kit/Statement.ts";

/** Messages `m` with this body: the index has its first bytes. */
export function sameBody(params: Params, body: Hash): string {
  const value = params.of(hash, body);
  return `${firstBytes("m.body_hash")} = ${firstBytes(value)} and m.body_hash = ${value}`;
}
