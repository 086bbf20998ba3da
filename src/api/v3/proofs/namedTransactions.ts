import type { Chain } from "../../../chain/Chain.ts";
import type { JsonValue } from "../../../lib/json.ts";
import { findHash, type Hash } from "../../../model/Hash.ts";
import { ApiError } from "../../declare/errors.ts";
import type { ShownAnswer } from "../../declare/proof.ts";
import { type Json, type ProvedTransaction, proveTransactions, unprovable } from "./transactionProof.ts";

/** Proves the transactions that rows name by hash. The proof says where each is; the block says whether it is there. */
export async function proveNamed(
  chain: Chain,
  hashes: readonly Hash[],
  { places = [] }: Pick<ShownAnswer, "places">,
): Promise<ReadonlyMap<Hash, ProvedTransaction>> {
  const known = new Map(places.map((place) => [hashIn(place, "hash"), place]));
  const wanted = [...new Set(hashes)];
  const rows = wanted.map((hash) => known.get(hash) ?? null);
  const proved = await proveTransactions(chain, rows);
  return new Map(
    proved.map((each, index) => {
      const hash = wanted[index];
      if (hash === undefined || each.full.row.hash !== hash)
        throw new ApiError("api/incomplete", `transaction ${hash} is not where it is said to be`);
      return [hash, each];
    }),
  );
}

/** The proved transaction of a row. */
export function getNamed(proved: ReadonlyMap<Hash, ProvedTransaction>, hash: Hash): ProvedTransaction {
  const found = proved.get(hash);
  if (found === undefined) throw unprovable(`transaction ${hash} is not known`);
  return found;
}

/** The hash in a field of a row. */
export function hashIn(row: JsonValue, field: string): Hash | undefined {
  const value = (Object(row) as Json)[field];
  return typeof value === "string" ? findHash(value) : undefined;
}
