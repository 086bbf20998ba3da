import { asList, asRecord } from "../../../kit/suite/record.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import { messageRow, transactionRow } from "../../../src/history/ingest/decode/decodeRows.ts";
import type { BatchRows } from "../../../src/history/store/write/BatchRows.ts";
import { formatRawAddress } from "../../../src/model/Address.ts";
import { signedShard, wholeShard } from "../../../src/model/block/BlockId.ts";
import { type Hash, hashToBase64, zeroHash } from "../../../src/model/Hash.ts";
import { type InCell, loadInCell, type Message } from "../../../src/model/Message.ts";
import { traceMessage, traceTransaction } from "../../../src/model/Trace.ts";
import { Transaction } from "../../../src/model/Transaction.ts";
import { shardText } from "../model/blockJson.ts";

/** Rows in the field names of the v3 API, to compare with recorded answers. */
type Json = Readonly<Record<string, unknown>>;

const text = (value: bigint | number | undefined): string | null => (value === undefined ? null : String(value));
const hashText = (value: Hash | undefined): string | null => (value === undefined ? null : hashToBase64(value));
const content = (hash: Hash, body: Uint8Array): Json => ({
  hash: hashToBase64(hash),
  body: Buffer.from(body).toString("base64"),
});

function messageJson(message: InCell<Message>, globalVersion: number): Json {
  const seen = traceMessage(message);
  const row = messageRow(message, seen, globalVersion);
  return {
    hash: hashToBase64(row.hash),
    ...(row.hashNorm === undefined ? {} : { hash_norm: hashToBase64(row.hashNorm) }),
    source: row.source === undefined ? null : formatRawAddress(row.source),
    destination: row.destination === undefined ? null : formatRawAddress(row.destination),
    value: text(row.value),
    value_extra_currencies: row.value === undefined ? null : (row.valueExtra ?? {}),
    fwd_fee: text(row.fwdFee),
    ihr_fee: text(row.ihrFee),
    extra_flags: text(row.extraFlags),
    created_lt: text(row.createdLt),
    created_at: text(row.createdAt),
    opcode: row.opcode === undefined ? null : `0x${(row.opcode >>> 0).toString(16).padStart(8, "0")}`,
    ihr_disabled: row.ihrDisabled ?? null,
    bounce: row.bounce ?? null,
    bounced: row.bounced ?? null,
    import_fee: text(row.importFee),
    message_content: content(row.bodyHash, row.body),
    init_state: row.initHash === undefined || row.init === undefined ? null : content(row.initHash, row.init),
  };
}

/** The rows of a transaction, from the cell in a recorded answer. */
export function transactionRowsJson(boc: Uint8Array, workchain: number, globalVersion: number): Json {
  const transaction = loadInCell(Transaction, readRoot(boc));
  const seen = traceTransaction(transaction, { workchain, mcSeqno: 1, emulated: false });
  const id = { workchain, shard: wholeShard, seqno: 1, rootHash: zeroHash, fileHash: zeroHash };
  const row = transactionRow(transaction, seen, { id, root: transaction.cell });
  const { in: received, out } = transaction.messages;
  return {
    account: formatRawAddress(row.account),
    hash: hashText(row.hash),
    lt: text(row.lt),
    now: row.now,
    prev_trans_hash: hashText(row.prevTransHash),
    prev_trans_lt: text(row.prevTransLt),
    orig_status: row.origStatus,
    end_status: row.endStatus,
    total_fees: text(row.totalFees),
    total_fees_extra_currencies: row.totalFeesExtra ?? {},
    account_state_hash_before: hashText(row.stateHashBefore),
    account_state_hash_after: hashText(row.stateHashAfter),
    aborted: row.aborted,
    in_msg: received === undefined ? null : messageJson(received, globalVersion),
    out_msgs: out.values().map((message) => messageJson(message, globalVersion)),
  };
}

/** The fields that the expectation and the rows share, of each side. */
export function comparable(
  expected: unknown,
  reported: Json,
): { readonly expected: unknown; readonly reported: unknown } {
  return { expected: common(asRecord(expected), reported), reported: common(reported, asRecord(expected)) };
}

/** The members of `of` that `other` has too, at any depth; `decoded` needs more than rows. */
function common(of: Json, other: Json): Json {
  const both = Object.entries(of).filter(([key]) => key in other && !key.startsWith("decoded"));
  return Object.fromEntries(both.map(([key, value]) => [key, commonValue(value, other[key])]));
}

function commonValue(value: unknown, other: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(other) && value.length === other.length)
    return asList(value).map((item, i) => commonValue(item, other[i]));
  const isMap = (candidate: unknown): boolean =>
    typeof candidate === "object" &&
    candidate !== null &&
    !Array.isArray(candidate) &&
    Object.keys(candidate).length > 0;
  return isMap(value) && isMap(other) ? common(asRecord(value), asRecord(other)) : value;
}

/** The row of a block in the field names of the v3 API. */
export function blockRowJson(row: BatchRows["blocks"][number]): Json {
  return {
    workchain: row.workchain,
    shard: shardText(row.shard),
    shard_signed: String(signedShard(row.shard)),
    seqno: row.seqno,
    root_hash: hashText(row.rootHash),
    global_id: row.globalId,
    version: row.version,
    after_merge: row.afterMerge,
    before_split: row.beforeSplit,
    after_split: row.afterSplit,
    want_merge: row.wantMerge,
    want_split: row.wantSplit,
    key_block: row.keyBlock,
    vert_seqno_incr: row.vertSeqnoIncr,
    flags: row.flags,
    gen_utime: row.genUtime,
    start_lt: text(row.startLt),
    end_lt: text(row.endLt),
    validator_list_hash_short: row.validatorListHashShort,
    gen_catchain_seqno: row.genCatchainSeqno,
    min_ref_mc_seqno: row.minRefMcSeqno,
    prev_key_block_seqno: row.prevKeyBlockSeqno,
    vert_seqno: row.vertSeqno,
    rand_seed: hashText(row.randSeed),
    created_by: hashText(row.createdBy),
    tx_count: row.txCount,
    prev_blocks: row.prevBlocks.map(({ workchain, shard, seqno }) => ({
      ...{ workchain, shard: shardText(BigInt.asUintN(64, BigInt(shard))), seqno },
    })),
  };
}
