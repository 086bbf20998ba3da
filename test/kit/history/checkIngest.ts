import { Cell as CoreCell, type Message as CoreMessage, loadMessage } from "@ton/core";
import { expect } from "vitest";
import { readRoot, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import type { BatchRows } from "../../../src/history/store/write/BatchRows.ts";
import type { Ledger } from "../../../src/localnet/ledger/Ledger.ts";
import { Account } from "../../../src/model/Account.ts";
import { type Address, accountOf, makeAddress } from "../../../src/model/Address.ts";
import { forEachTransaction } from "../../../src/model/block/Block.ts";
import { prevBlockIds } from "../../../src/model/block/BlockInfo.ts";
import { ShardStateUnsplit } from "../../../src/model/block/ShardState.ts";
import { loadInCell } from "../../../src/model/Message.ts";
import { Transaction } from "../../../src/model/Transaction.ts";
import { listBlocks } from "../localnet/ledgerTransactions.ts";
import type { Ingested } from "./ingestStage.ts";

type MessageRow = BatchRows["messages"][number];

/**
 * Checks that every block committed to by the masterchain comes once, with its masterchain block and after its parents.
 */
export function checkBlocks(ledger: Ledger, steps: readonly Ingested[]): void {
  const seen = new Map<string, number>();
  for (const { batch, decoded } of steps) {
    for (const { id } of [...batch.shardBlocks, batch.master]) {
      const { info, masterSeqno } = ledger.getBlock(id);
      expect([id, batch.mcSeqno]).toEqual([id, masterSeqno]);
      expect(seen.has(id.rootHash)).toBe(false);
      for (const prev of prevBlockIds(info)) if (prev.seqno > 0) expect(seen.has(prev.rootHash)).toBe(true);
      seen.set(id.rootHash, batch.mcSeqno);
    }
    expect(decoded.rows.blocks.map(({ mcBlockSeqno }) => mcBlockSeqno)).toEqual(
      decoded.rows.blocks.map(() => batch.mcSeqno),
    );
    const rows = [...decoded.rows.shardState].map(({ workchain, shard, seqno }) => ({ workchain, shard, seqno }));
    const tops = [batch.master.id, ...batch.tops].map(({ workchain, shard, seqno }) => ({ workchain, shard, seqno }));
    expect(rows).toEqual(tops);
  }
  expect([...seen.keys()].sort()).toEqual(
    listBlocks(ledger)
      .map(({ id }) => id.rootHash)
      .sort(),
  );
}

/**
 * Checks that every transaction has its row and every message one row per batch, as `@ton/core` reads it. Returns the
 * counts.
 */
export function checkTransactions(
  ledger: Ledger,
  steps: readonly Ingested[],
): { readonly transactions: number; readonly messages: number } {
  let transactions = 0;
  let messages = 0;
  for (const { batch, decoded } of steps) {
    const rows = new Map(decoded.transactions.map(({ row }) => [row.hash, row]));
    const messageRows = new Map(decoded.rows.messages.map((row) => [row.hash, row]));
    const met = new Set<string>();
    const sent = new Map<string, { readonly outTxHash: string; readonly outIndex: number }>();
    let count = 0;
    for (const { id } of [...batch.shardBlocks, batch.master]) {
      forEachTransaction(ledger.block(ledger.getBlock(id)), (cell) => {
        count++;
        const transaction = loadInCell(Transaction, cell);
        const row = rows.get(cell.hash());
        const { account, lt, stateUpdate, now } = transaction;
        const place = { account: makeAddress(id.workchain, account), lt, now, mcBlockSeqno: batch.mcSeqno };
        const block = { blockWorkchain: id.workchain, blockShard: id.shard, blockSeqno: id.seqno };
        const states = { stateHashBefore: stateUpdate.oldHash, stateHashAfter: stateUpdate.newHash };
        expect(row).toMatchObject({ ...place, ...block, ...states, totalFees: transaction.totalFees.coins });
        expect(readRoot(row?.description ?? new Uint8Array()).hash()).toBe(cell.ref(cell.refCount - 1).hash());
        const { in: received, out } = transaction.messages;
        const outs = out.values();
        for (const message of received === undefined ? outs : [received, ...outs]) met.add(message.cell.hash());
        for (const [outIndex, { cell: own }] of outs.entries())
          sent.set(own.hash(), { outTxHash: cell.hash(), outIndex });
        for (const { cell: own } of received === undefined ? outs : [received, ...outs])
          checkMessage(own, messageRows.get(own.hash()));
      });
    }
    expect(decoded.transactions).toHaveLength(count);
    expect([...messageRows.keys()].sort()).toEqual([...met].sort());
    expect(decoded.rows.messages).toHaveLength(messageRows.size);
    for (const { hash, outTxHash, outIndex } of messageRows.values())
      expect({ outTxHash, outIndex }).toEqual(sent.get(hash) ?? { outTxHash: undefined, outIndex: undefined });
    transactions += count;
    messages += met.size;
  }
  return { transactions, messages };
}

function checkMessage(cell: Cell, row: MessageRow | undefined): void {
  const message = loadMessage((CoreCell.fromBoc(writeBoc(cell))[0] as CoreCell).beginParse());
  expect(row).toMatchObject(coreFacts(message));
  expect(
    CoreCell.fromBoc(Buffer.from(row?.body ?? []))[0]
      ?.hash()
      .toString("hex"),
  ).toBe(message.body.hash().toString("hex"));
  expect(row?.initHash === undefined).toBe(message.init === null || message.init === undefined);
  if (row?.initHash !== undefined) expect(readRoot(row.init ?? new Uint8Array()).hash()).toBe(row.initHash);
}

function coreFacts({ info, body }: CoreMessage): Partial<MessageRow> {
  const bits = body.bits.length;
  const opcode = bits < 32 ? undefined : body.beginParse().loadInt(32);
  const common = { bodyHash: body.hash().toString("hex") as MessageRow["bodyHash"], opcode };
  if (info.type === "external-in")
    return { ...common, source: undefined, destination: raw(info.dest), value: undefined, importFee: info.importFee };
  const created = { createdLt: info.createdLt, createdAt: info.createdAt };
  if (info.type === "external-out") return { ...common, ...created, source: raw(info.src), destination: undefined };
  return {
    ...{ ...common, ...created, source: raw(info.src), destination: raw(info.dest), value: info.value.coins },
    ...{ bounce: info.bounce, bounced: info.bounced, ihrDisabled: info.ihrDisabled, fwdFee: info.forwardFee },
  };
}

function raw(address: { toRawString(): string }): Address {
  return address.toRawString() as Address;
}

/**
 * Checks that the initial states and every state after an account's last transaction in a block equal those of the
 * ledger. Returns the number of states after a transaction.
 */
export function checkStates(ledger: Ledger, steps: readonly Ingested[]): number {
  let count = 0;
  const codes = new Set<string>();
  for (const { batch, decoded, read } of steps) {
    for (const { hash, boc } of read.rows.codes) {
      expect(readRoot(boc).hash()).toBe(hash);
      codes.add(hash);
    }
    const rows = new Map(read.rows.accountStates.map((row) => [`${row.account} ${row.hash}`, row]));
    const begun = batch.mcSeqno === 1 ? begunWith(ledger) : [];
    const reported = read.accounts.map(({ address, stateHash }) => `${address} ${stateHash}`);
    expect(reported.slice(0, begun.length).sort()).toEqual(begun.sort());
    expect(reported.slice(begun.length)).toEqual(
      decoded.changed.map(({ address, stateHash }) => `${address} ${stateHash}`),
    );
    count += decoded.changed.length;
    for (const after of read.accounts) {
      const state = loadCell(ShardStateUnsplit, ledger.state(after.block));
      const entry = state.accounts.load().find(accountOf(after.address));
      const row = rows.get(`${after.address} ${after.stateHash}`);
      const { address: account, stateHash: hash, lastTransLt: lt } = after;
      expect(row).toEqual({ account, hash, lt, ...stateFacts(entry?.account.cell) });
      if (entry !== undefined) {
        expect([after.cell.hash(), after.lastTransHash, after.lastTransLt]).toEqual([
          ...[entry.account.cell.hash(), entry.lastTransactionHash, entry.lastTransactionLt],
        ]);
      }
      if (row?.codeHash !== undefined) expect(codes.has(row.codeHash)).toBe(true);
    }
  }
  return count;
}

/** The accounts of the zero states, with the hashes of their states. */
function begunWith(ledger: Ledger): string[] {
  return ledger.zeroStates.flatMap(({ id, root }) => {
    const { accounts } = loadCell(ShardStateUnsplit, root);
    const entries = accounts.load().entries();
    return entries.map(([key, { account }]) => `${makeAddress(id.workchain, key)} ${account.cell.hash()}`);
  });
}

/** The fields of a state's row, read directly from the cell. */
function stateFacts(cell: Cell | undefined): Readonly<Record<string, unknown>> {
  const hashes = { frozenHash: undefined, dataHash: undefined, codeHash: undefined };
  const account = cell === undefined ? undefined : loadCell(Account, cell);
  if (account === undefined || account.kind === "none")
    return { balance: 0n, balanceExtra: undefined, status: "nonexist", ...hashes };
  const { balance, state } = account.storage;
  const extra = balance.extra.entries().map(([id, value]) => [String(id), String(value)] as const);
  return {
    balance: balance.coins,
    balanceExtra: extra.length === 0 ? undefined : Object.fromEntries(extra),
    status: state.kind,
    ...hashes,
    ...(state.kind === "frozen" ? { frozenHash: state.stateHash } : {}),
    ...(state.kind === "active" ? { dataHash: state.init.data?.hash(), codeHash: state.init.code?.hash() } : {}),
  };
}

export function latestStates(steps: readonly Ingested[]): Map<Address, BatchRows["latestAccountStates"][number]> {
  return new Map(steps.flatMap(({ read }) => read.rows.latestAccountStates.map((row) => [row.account, row] as const)));
}
