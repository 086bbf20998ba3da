import { describe, expect, it } from "vitest";
import { beginCell } from "../../../../src/cell/Builder.ts";
import { readRoot } from "../../../../src/cell/boc.ts";
import { storeCell } from "../../../../src/cell/codec.ts";
import { decodeBatch } from "../../../../src/history/ingest/decode/decodeBatch.ts";
import { messageRow, opcodeOf } from "../../../../src/history/ingest/decode/decodeRows.ts";
import { makeAddress, type SpecialAddress, workchainOf } from "../../../../src/model/Address.ts";
import { coinsOnly } from "../../../../src/model/Currency.ts";
import { loadInCell, Message, type MessageInfo } from "../../../../src/model/Message.ts";
import { traceMessage } from "../../../../src/model/Trace.ts";
import { checkTransactions } from "../../../kit/history/checkIngest.ts";
import { ingestAll, listBatches, noEnd, openLedgerSource } from "../../../kit/history/ingestStage.ts";
import { openFixtureLedger } from "../../../kit/localnet/fixtureLedger.ts";
import { importSplitChain } from "../../../kit/localnet/splitChain.ts";

const chain = openFixtureLedger();
const split = importSplitChain();
const sender = makeAddress(0, "11".repeat(32));
const receiver = makeAddress(0, "22".repeat(32));
const body = beginCell().storeUint(0xf1234567, 32).storeUint(5, 8).cell();

const internal: Extract<MessageInfo, { kind: "internal" }> = {
  ...{ kind: "internal", ihrDisabled: true, bounce: true, bounced: false, src: sender, dest: receiver },
  ...{ value: coinsOnly(7n), extraFlags: 3n, fwdFee: 4n, createdLt: 5n, createdAt: 6 },
};

function rowOf(info: MessageInfo, globalVersion = 13, bodyPlace: "inline" | "ref" = "inline") {
  const cell = storeCell(Message, { info, init: undefined, initPlace: "inline", body, bodyPlace });
  const message = loadInCell(Message, cell);
  return messageRow(message, traceMessage(message), globalVersion);
}

describe("rows of a batch", () => {
  it.each([
    ["one shard", chain],
    ["a shard that is split", split],
  ] as const)("contain every transaction and message like another library: %s", async (_name, ledger) => {
    const { steps } = await ingestAll(ledger);
    const { transactions, messages } = checkTransactions(ledger, steps);
    expect(transactions).toBeGreaterThan(100);
    expect(messages).toBeGreaterThan(20);
  });

  it("are sorted by time, then workchain, then account", async () => {
    for (const { decoded } of (await ingestAll(split)).steps) {
      const keys = decoded.transactions.map(({ row }) => [row.lt, workchainOf(row.account), row.account] as const);
      const sorted = keys.toSorted(
        (a, b) => Number(a[0] - b[0]) || a[1] - b[1] || (a[2] < b[2] ? -1 : a[2] > b[2] ? 1 : 0),
      );
      expect(keys).toEqual(sorted);
    }
  });

  it("list a changed account once per block, by its last transaction there", async () => {
    for (const { decoded } of (await ingestAll(chain)).steps) {
      const last = new Map<string, unknown>();
      for (const { row } of decoded.transactions)
        last.set(`${row.account} ${row.blockWorkchain} ${row.blockShard} ${row.blockSeqno}`, row.hash);
      const reported = decoded.changed.map(
        ({ address, block, lastTransHash }) =>
          [`${address} ${block.workchain} ${block.shard} ${block.seqno}`, lastTransHash] as const,
      );
      expect(new Map(reported)).toEqual(last);
      expect(reported).toHaveLength(last.size);
    }
  });

  it("are the same when a batch is read again", async () => {
    const [batch] = await listBatches(openLedgerSource(split).batches({ from: 20, to: 20 }, noEnd));
    if (batch === undefined) throw new Error("no batch");
    expect(decodeBatch(batch)).toEqual(decodeBatch(batch));
  });
});

describe("the row of a message", () => {
  it("has flags from global version 12 on, and a fee before", () => {
    expect(rowOf(internal, 12)).toMatchObject({ ihrFee: 0n, extraFlags: 3n });
    expect(rowOf(internal, 11)).toMatchObject({ ihrFee: 3n, extraFlags: undefined });
  });

  it("has an address with its anycast prefix applied", () => {
    const dest: SpecialAddress = {
      ...{ kind: "standard", anycast: { depth: 4, prefix: "f0" }, workchain: 0, bits: 256, account: "22".repeat(32) },
    };
    expect(rowOf({ ...internal, dest }).destination).toBe(`0:f2${"22".repeat(31)}`);
  });

  it("has the import fee of an external message within the range of the column", () => {
    const largest = 2n ** 63n - 1n;
    const external = { kind: "externalIn", src: undefined, dest: receiver } as const;
    expect(rowOf({ ...external, importFee: largest }).importFee).toBe(largest);
    expect(rowOf({ ...external, importFee: largest + 1n }).importFee).toBeUndefined();
  });

  it("has a normalized hash only if it differs", () => {
    const external = { kind: "externalIn", src: undefined, dest: receiver, importFee: 0n } as const;
    const inline = rowOf(external, 13, "inline");
    const normal = rowOf(external, 13, "ref");
    expect(inline.hashNorm).toBe(normal.hash);
    expect(normal.hashNorm).toBeUndefined();
  });

  it("has the body as its own cell, inline or not", () => {
    expect([rowOf(internal, 13, "inline").bodyHash, rowOf(internal, 13, "ref").bodyHash]).toEqual([
      body.hash(),
      body.hash(),
    ]);
  });

  it("has a signed opcode, and none if the body is too short", () => {
    expect(opcodeOf(body)).toBe(0xf1234567 | 0);
    expect(opcodeOf(beginCell().storeUint(0, 32).cell())).toBe(0);
    expect(opcodeOf(beginCell().storeUint(0, 31).cell())).toBeUndefined();
  });

  it("keeps bodies with a checksum and descriptions without", async () => {
    const { steps } = await ingestAll(split);
    const bodies = steps.flatMap(({ decoded }) => decoded.rows.messages);
    expect(new Set(bodies.map(({ body: bytes }) => (bytes[4] as number) & 0x40))).toEqual(new Set([0x40]));
    for (const { bodyHash, body: bytes } of bodies) expect(readRoot(bytes).hash()).toBe(bodyHash);
    const descriptions = steps.flatMap(({ decoded }) => decoded.transactions.map(({ row }) => row.description));
    expect(new Set(descriptions.map((bytes) => (bytes[4] as number) & 0xc0))).toEqual(new Set([0]));
  });
});
