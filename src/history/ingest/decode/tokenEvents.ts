import { crcForm, writeBoc } from "../../../cell/boc.ts";
import type { Cell } from "../../../cell/Cell.ts";
import { type Slice, sliceOf } from "../../../cell/Slice.ts";
import { isCoded } from "../../../lib/errors.ts";
import { type Address, plainAddress } from "../../../model/Address.ts";
import type { Hash } from "../../../model/Hash.ts";
import { anyAddress } from "../../../model/messageAddress.ts";
import type { TraceTransaction } from "../../../model/Trace.ts";
import type { BatchRows } from "../../store/write/BatchRows.ts";

const jettonTransferOpcode = 0x0f8a7ea5;
const jettonBurnOpcode = 0x595f07bc;
const nftTransferOpcode = 0x5fcc3d14;

/** The facts needed to recognise token events of an account. */
export interface KnownTokens {
  findJettonWallet(address: Address): { readonly jetton: Address } | undefined;
  findNftItem(
    address: Address,
  ): { readonly index: bigint | undefined; readonly collection: Address | undefined } | undefined;
}

export type EventRows = Pick<BatchRows, "jettonTransfers" | "jettonBurns" | "nftTransfers">;

/** Accounts that received a message that is a token event if the account is the right token. */
export function listEventAccounts(transactions: readonly TraceTransaction[]): readonly Address[] {
  const accounts = new Set<Address>();
  for (const { account, inMessage } of transactions) {
    const opcode = inMessage?.source === undefined ? undefined : opcodeOf(inMessage.body);
    if (opcode === jettonTransferOpcode || opcode === jettonBurnOpcode || opcode === nftTransferOpcode)
      accounts.add(account);
  }
  return [...accounts];
}

interface Place {
  readonly txHash: Hash;
  readonly txLt: bigint;
  readonly txNow: number;
  readonly txAborted: boolean;
  readonly mcSeqno: number;
  readonly traceId: Hash | undefined;
}

/** Token transfers and burns, recognised by the messages that wallets and items received (v3-indexing §8). */
export function makeEvents(
  transactions: readonly TraceTransaction[],
  traceIds: ReadonlyMap<Hash, Hash>,
  known: KnownTokens,
): EventRows {
  const jettonTransfers: BatchRows["jettonTransfers"][number][] = [];
  const jettonBurns: BatchRows["jettonBurns"][number][] = [];
  const nftTransfers: BatchRows["nftTransfers"][number][] = [];
  for (const transaction of transactions) {
    const { account, inMessage } = transaction;
    if (inMessage?.source === undefined) continue;
    const { source, body } = inMessage;
    const position = placeOf(transaction, traceIds);
    const opcode = opcodeOf(body);
    if (opcode === jettonTransferOpcode || opcode === jettonBurnOpcode) {
      const jettonMaster = known.findJettonWallet(account)?.jetton;
      if (jettonMaster === undefined) continue;
      const sent = opcode === jettonTransferOpcode ? readSafely(body, readJettonTransfer) : undefined;
      if (sent !== undefined)
        jettonTransfers.push({ source, sourceWallet: account, jettonMaster, ...sent, ...position });
      const burnt = opcode === jettonBurnOpcode ? readSafely(body, readJettonBurn) : undefined;
      if (burnt !== undefined)
        jettonBurns.push({ owner: source, jettonWallet: account, jettonMaster, ...burnt, ...position });
    } else if (opcode === nftTransferOpcode) {
      const item = known.findNftItem(account);
      const given = item === undefined ? undefined : readSafely(body, readNftTransfer);
      if (item === undefined || given === undefined) continue;
      const { index: nftItemIndex, collection: nftCollection } = item;
      nftTransfers.push({ nftItem: account, nftItemIndex, nftCollection, oldOwner: source, ...given, ...position });
    }
  }
  return { jettonTransfers, jettonBurns, nftTransfers };
}

function placeOf({ hash, lt, now, aborted, mcSeqno }: TraceTransaction, traceIds: ReadonlyMap<Hash, Hash>): Place {
  return { txHash: hash, txLt: lt, txNow: now, txAborted: aborted, mcSeqno, traceId: traceIds.get(hash) };
}

// transfer#0f8a7ea5 query_id:uint64 amount:(VarUInteger 16) destination:MsgAddress response_destination:MsgAddress
//   custom_payload:(Maybe ^Cell) forward_ton_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell)
function readJettonTransfer(body: Slice) {
  return {
    queryId: body.loadBigUint(64),
    amount: body.loadCoins(),
    destination: loadAccount(body),
    responseDestination: loadAccount(body),
    customPayload: bagOf(body.loadMaybeRef()),
    forwardTonAmount: body.loadCoins(),
    forwardPayload: bagOf(loadForward(body)),
  };
}

// burn#595f07bc query_id:uint64 amount:(VarUInteger 16) response_destination:MsgAddress custom_payload:(Maybe ^Cell)
function readJettonBurn(body: Slice) {
  return {
    queryId: body.loadBigUint(64),
    amount: body.loadCoins(),
    responseDestination: loadAccount(body),
    customPayload: bagOf(body.loadMaybeRef()),
  };
}

// transfer#5fcc3d14 query_id:uint64 new_owner:MsgAddress response_destination:MsgAddress custom_payload:(Maybe ^Cell)
//   forward_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell)
function readNftTransfer(body: Slice) {
  return {
    queryId: body.loadBigUint(64),
    newOwner: loadAccount(body),
    responseDestination: loadAccount(body),
    customPayload: bagOf(body.loadMaybeRef()),
    forwardAmount: body.loadCoins(),
    forwardPayload: bagOf(loadForward(body)),
  };
}

/** Only a payload in its own cell is kept. */
function loadForward(body: Slice): Cell | undefined {
  return body.loadBit() ? body.loadRef() : undefined;
}

function loadAccount(body: Slice): Address | undefined {
  const address = anyAddress.load(body);
  if (address === undefined) return undefined;
  if (typeof address === "string") return address;
  return address.kind === "external" ? undefined : plainAddress(address);
}

function bagOf(cell: Cell | undefined): Uint8Array | undefined {
  return cell === undefined ? undefined : writeBoc(cell, crcForm);
}

/** Anybody can send anything: a body that cannot be read is not an event. */
function readSafely<T>(body: Cell, read: (slice: Slice) => T): T | undefined {
  try {
    return read(sliceOf(body).skip(32));
  } catch (error) {
    if (isCoded(error)) return undefined;
    throw error;
  }
}

function opcodeOf(body: Cell): number | undefined {
  return body.isExotic || body.bitLength < 32 ? undefined : sliceOf(body).loadUint(32);
}
