import type { Chain } from "../../../chain/Chain.ts";
import {
  getShownTransactions,
  type IncludedTransaction,
  type ShownTransaction,
} from "../../../chain/proofs/shownTransactions.ts";
import type { FullTransaction } from "../../../history/queries/fill/FullTransaction.ts";
import type { JsonValue } from "../../../lib/json.ts";
import { readDeferred } from "../../../lib/kit/deferredJson.ts";
import { mapInPieces } from "../../../lib/sharing/mapInPieces.ts";
import { findAddress } from "../../../model/Address.ts";
import type { BlockId } from "../../../model/block/BlockId.ts";
import { ApiError } from "../../declare/errors.ts";
import { emptyList, hasNoProof } from "../../declare/proof.ts";
import { transaction as transactionForm } from "../shapes/transactions.ts";
import { includedRow } from "./includedRows.ts";

export type Json = Readonly<Record<string, JsonValue>>;

/** The most blocks and rows of one proof: each block needs answers of its own. */
export const maxBlocks = 100;
const maxRows = 1000;

/** A transaction that is proved to be in a block of the chain. */
export interface ProvedTransaction {
  readonly full: FullTransaction;
  readonly included: IncludedTransaction;
  /** The fields that the chain proves. */
  readonly json: Json;
}

/** Proves transactions that an answer shows, in its order. */
export async function proveTransactions(
  chain: Chain,
  rows: readonly JsonValue[],
): Promise<readonly ProvedTransaction[]> {
  if (rows.length > maxRows) throw unprovable(`a proof covers at most ${maxRows} rows; ask for fewer with limit`);
  const shown = rows.map(readPlace);
  const blocks = new Set(shown.map(({ block: { workchain, shard, seqno } }) => `${workchain} ${shard} ${seqno}`));
  if (blocks.size > maxBlocks) {
    throw unprovable(
      `a proof covers rows of at most ${maxBlocks} blocks, not ${blocks.size}; ask for fewer with limit`,
    );
  }
  const found = await getShownTransactions(chain, shown);
  return mapInPieces(found, provedTransaction);
}

/** Its JSON is made when it is asked for, once: lists of messages need only the rows. */
function provedTransaction(included: IncludedTransaction): ProvedTransaction {
  const full = includedRow(included);
  let json: Json | undefined;
  return {
    full,
    included,
    get json() {
      json ??= provedFields(full);
      return json;
    },
  };
}

export function unprovable(reason: string): ApiError {
  return new ApiError("api/no-proof", `this answer ${hasNoProof}: ${reason}`);
}

/** The rows of a list in an answer. */
export function rowsIn(result: JsonValue, name: string): readonly JsonValue[] {
  const rows = (Object(result) as Json)[name];
  if (!Array.isArray(rows) || rows.length === 0) throw unprovable(emptyList);
  return rows;
}

function readPlace(row: JsonValue): ShownTransaction {
  const { account, lt, block_ref: ref } = Object(row) as Json;
  const address = findAddress(String(account))?.address;
  if (address === undefined || !/^\d+$/.test(String(lt))) throw noPlace();
  return { address, lt: BigInt(String(lt)), block: readBlockPlace(ref ?? null) };
}

/** Where a row says that a block is. */
export function readBlockPlace(row: JsonValue): BlockId {
  const { workchain, shard, seqno } = Object(row) as Json;
  if (!/^[0-9A-F]{1,16}$/i.test(String(shard)) || !Number.isInteger(workchain) || !Number.isInteger(seqno))
    throw noPlace();
  return { workchain: Number(workchain), shard: BigInt(`0x${shard}`), seqno: Number(seqno) };
}

function noPlace(): ApiError {
  return unprovable("a row does not say where it is on the chain");
}

/** Of the index: no transaction says of which trace it is, nor which masterchain block commits it first. */
const indexed = ["trace_id", "trace_external_hash", "mc_block_seqno"] as const;
/** A message does not say how its body is to be read, nor which version of the network gave it its fees. */
const meant = ["decoded_opcode", "ihr_fee", "extra_flags"] as const;

/** What the chain proves of a transaction: nearly all, and of its account's states the hashes. */
function provedFields(full: FullTransaction): Json {
  const row = readDeferred(transactionForm.encode(full)) as Json;
  const { account_state_before: before, account_state_after: after, in_msg: received, out_msgs: sent } = row;
  return Object.assign(without(row, indexed), {
    in_msg: received === null || received === undefined ? null : provedMessage(received),
    out_msgs: (sent as readonly JsonValue[]).map(provedMessage),
    account_state_before: hashOf(before),
    account_state_after: hashOf(after),
  });
}

function hashOf(state: JsonValue | undefined): Json {
  return { hash: (Object(state) as Json).hash ?? null };
}

/** What the chain proves of a message. */
export function provedMessage(message: JsonValue): Json {
  const row = Object(message) as Json;
  const { message_content: content } = row;
  return Object.assign(without(row, meant), {
    message_content: content === null ? null : without(Object(content) as Json, ["decoded"]),
  });
}

/** JSON of our own without some of its fields; a copy by assignment takes a quarter of the time of chosen entries. */
export function without(json: Json, names: readonly string[]): Json {
  const rest: Record<string, JsonValue> = {};
  for (const name of Object.keys(json)) if (!names.includes(name)) rest[name] = json[name] as JsonValue;
  return rest;
}
