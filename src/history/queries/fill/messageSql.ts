import type { Hash } from "../../../model/Hash.ts";
import { hash } from "../../store/schema/columns.ts";
import { firstBytes } from "../kit/Page.ts";
import type { Params } from "../kit/Statement.ts";

/** A subquery of the transactions that sent or received messages: `list` holds hashes or normalized hashes. */
export function endsOfMessages(list: string, columns: (alias: string) => string): string {
  // A subquery, which a cluster runs first: messages and transactions are distributed by different columns.
  const found = `(
    select m.hash, m.out_tx_hash from messages m where m.hash = any(${list}) or m.hash_norm = any(${list})
  ) m`;
  return `
    select ${columns("r")} from ${found} join transactions r on r.in_msg_hash = m.hash
    union select ${columns("s")} from ${found} join transactions s on s.hash = m.out_tx_hash`;
}

/** Messages `m` with this body: the index has its first bytes. */
export function sameBody(params: Params, body: Hash): string {
  const value = params.of(hash, body);
  return `${firstBytes("m.body_hash")} = ${firstBytes(value)} and m.body_hash = ${value}`;
}
