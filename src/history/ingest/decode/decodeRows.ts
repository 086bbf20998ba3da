import { crcForm, writeBoc } from "../../../cell/boc.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { storeCell } from "../../../cell/codec.ts";
import { rawSliceOf } from "../../../cell/Slice.ts";
import type { HeaderAt } from "../../../lite/queries/blockHeader.ts";
import type { Block } from "../../../model/block/Block.ts";
import { signedShard } from "../../../model/block/BlockId.ts";
import { type BlockInfo, prevBlockIds } from "../../../model/block/BlockInfo.ts";
import type { ExtraCurrencies } from "../../../model/Currency.ts";
import type { Hash } from "../../../model/Hash.ts";
import type { InCell, Message, MessageInfo } from "../../../model/Message.ts";
import { normalizedHash } from "../../../model/normalizedHash.ts";
import { StateInit } from "../../../model/StateInit.ts";
import type { TraceMessage, TraceTransaction } from "../../../model/Trace.ts";
import type { Transaction } from "../../../model/Transaction.ts";
import type { RowDraft } from "../../store/schema/Table.ts";
import type { ExtraCurrencyJson as StoredExtra } from "../../store/schema/tables.ts";
import type { BatchRows } from "../../store/write/BatchRows.ts";
import type { FetchedBlock } from "../source/BlockBatch.ts";
import type { DecodedTransaction } from "./DecodedBatch.ts";

export type BatchBlockRow = BatchRows["blocks"][number];
export type BatchMessageRow = BatchRows["messages"][number];

/** From this global version on, the former field of the IHR fee holds flags. */
const flagsVersion = 12;
const largestInt8 = (1n << 63n) - 1n;

/** Extra currencies as they are stored; `undefined` when there are none. */
export function storedExtra(extra: ExtraCurrencies): StoredExtra | undefined {
  if (extra.isEmpty) return undefined;
  return Object.fromEntries(extra.entries().map(([id, value]) => [String(id), String(value)]));
}

/** The row of a block, as the masterchain block commits it. */
export function blockRow(
  { id }: FetchedBlock,
  block: Block,
  info: BlockInfo,
  place: { readonly mcSeqno: number; readonly txCount: number },
): BatchBlockRow {
  const { randSeed, createdBy } = block.extra.load();
  const rest = { mcBlockSeqno: place.mcSeqno, randSeed, createdBy, txCount: place.txCount };
  // Not spread: copies of so many fields are slow objects.
  return Object.assign(headerRow({ id, globalId: block.globalId, info }), rest);
}

/** What the header of a block says in its row. */
export function headerRow({ id, globalId, info }: HeaderAt): Omit<BatchBlockRow, NotInHeader> {
  return {
    workchain: id.workchain,
    shard: id.shard,
    seqno: id.seqno,
    rootHash: id.rootHash,
    fileHash: id.fileHash,
    globalId,
    version: info.version,
    afterMerge: info.afterMerge,
    beforeSplit: info.beforeSplit,
    afterSplit: info.afterSplit,
    wantMerge: info.wantMerge,
    wantSplit: info.wantSplit,
    keyBlock: info.keyBlock,
    vertSeqnoIncr: info.vertSeqnoIncr,
    flags: info.genSoftware === undefined ? 0 : 1,
    genUtime: info.genUtime,
    startLt: info.startLt,
    endLt: info.endLt,
    validatorListHashShort: info.genValidatorListHashShort | 0,
    genCatchainSeqno: info.genCatchainSeqno,
    minRefMcSeqno: info.minRefMcSeqno,
    prevKeyBlockSeqno: info.prevKeyBlockSeqno,
    vertSeqno: info.vertSeqno,
    masterRefSeqno: info.masterRef?.seqno ?? 0,
    prevBlocks: prevBlockIds(info).map(({ workchain, shard, seqno }) => {
      return { workchain, shard: String(signedShard(shard)), seqno };
    }),
  };
}

type NotInHeader = "mcBlockSeqno" | "randSeed" | "createdBy" | "txCount";

/** The row of a transaction, without its trace and the state after it. */
export function transactionRow(
  transaction: InCell<Transaction>,
  traceTransaction: TraceTransaction,
  { id }: FetchedBlock,
): DecodedTransaction["row"] {
  const { cell, totalFees, stateUpdate } = transaction;
  return {
    account: traceTransaction.account,
    lt: traceTransaction.lt,
    hash: traceTransaction.hash,
    blockWorkchain: id.workchain,
    blockShard: id.shard,
    blockSeqno: id.seqno,
    mcBlockSeqno: traceTransaction.mcSeqno,
    prevTransHash: transaction.prevHash,
    prevTransLt: transaction.prevLt,
    now: traceTransaction.now,
    origStatus: traceTransaction.origStatus,
    endStatus: traceTransaction.endStatus,
    totalFees: totalFees.coins,
    totalFeesExtra: storedExtra(totalFees.extra),
    stateHashBefore: stateUpdate.oldHash,
    stateHashAfter: stateUpdate.newHash,
    aborted: traceTransaction.aborted,
    // The description is the last reference of a transaction.
    description: writeBoc(cell.ref(cell.refCount - 1)),
    inMsgHash: traceTransaction.inMessage?.hash,
    inOpcode: traceTransaction.inMessage === undefined ? undefined : opcodeOf(traceTransaction.inMessage.body),
    afterBalance: undefined,
    afterBalanceExtra: undefined,
    afterFrozenHash: undefined,
    afterDataHash: undefined,
    afterCodeHash: undefined,
  };
}

/** The first 32 bits of a body as a signed number. */
export function opcodeOf(body: Cell): number | undefined {
  return body.isExotic || body.bitLength < 32 ? undefined : rawSliceOf(body).loadInt(32);
}

/** Fields of other kinds of messages, absent. */
const absent = {
  value: undefined,
  valueExtra: undefined,
  fwdFee: undefined,
  ihrFee: undefined,
  extraFlags: undefined,
  ihrDisabled: undefined,
  bounce: undefined,
  bounced: undefined,
  importFee: undefined,
};

type KindFields = Pick<BatchMessageRow, keyof typeof absent>;

function kindFields(info: MessageInfo, globalVersion: number): KindFields {
  if (info.kind === "externalOut") return absent;
  if (info.kind === "externalIn") {
    const fields: RowDraft<KindFields> = { ...absent };
    fields.importFee = info.importFee > largestInt8 ? undefined : info.importFee;
    return fields;
  }
  const hasFlags = globalVersion >= flagsVersion;
  return {
    value: info.value.coins,
    valueExtra: storedExtra(info.value.extra),
    fwdFee: info.fwdFee,
    ihrFee: hasFlags ? 0n : info.extraFlags,
    extraFlags: hasFlags ? info.extraFlags : undefined,
    ihrDisabled: info.ihrDisabled,
    bounce: info.bounce,
    bounced: info.bounced,
    importFee: undefined,
  };
}

/**
 * The row of a message whose sender is not known yet. `receivedLt` is the lt of the
 * transaction that received it: an external message has no other.
 */
export function messageRow(
  message: InCell<Message>,
  traceMessage: TraceMessage,
  globalVersion: number,
  receivedLt = 0n,
  writeBag: (cell: Cell) => Uint8Array = contentOf,
): BatchMessageRow {
  const { info, body } = message;
  const init = message.init === undefined ? undefined : storeCell(StateInit, message.init);
  const norm = info.kind === "externalIn" ? normalizedHash({ info, body }) : undefined;
  const kind = kindFields(info, globalVersion);
  const row: BatchMessageRow = {
    lt: traceMessage.createdLt ?? receivedLt,
    hash: traceMessage.hash,
    hashNorm: norm === traceMessage.hash ? undefined : norm,
    source: traceMessage.source,
    destination: traceMessage.destination,
    value: kind.value,
    valueExtra: kind.valueExtra,
    fwdFee: kind.fwdFee,
    ihrFee: kind.ihrFee,
    extraFlags: kind.extraFlags,
    createdLt: traceMessage.createdLt,
    createdAt: traceMessage.createdAt,
    opcode: opcodeOf(body),
    ihrDisabled: kind.ihrDisabled,
    bounce: kind.bounce,
    bounced: kind.bounced,
    importFee: kind.importFee,
    bodyHash: body.hash(),
    initHash: init?.hash(),
    outTxHash: undefined,
    outIndex: undefined,
    body: writeBag(body),
    init: init && writeBag(init),
  };
  return row;
}

/** The row of a message with its sender. */
export function withSender(row: BatchMessageRow, outTxHash: Hash, outIndex: number): BatchMessageRow {
  const copy: RowDraft<BatchMessageRow> = { ...row };
  copy.outTxHash = outTxHash;
  copy.outIndex = outIndex;
  return copy;
}

/** A cell in the form in which bodies and state inits are stored. */
export function contentOf(cell: Cell): Uint8Array {
  return writeBoc(cell, crcForm);
}
