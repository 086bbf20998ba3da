import { describe, expect, it, vi } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import { writeBoc } from "../../../src/cell/boc.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { LibError } from "../../../src/lib/errors.ts";
import { LiteError } from "../../../src/lite/errors.ts";
import { accountIdToTl, blockIdToTl } from "../../../src/lite/queries/ids.ts";
import { ask, decodeAnswer, findServerError } from "../../../src/lite/server/LiteServer.ts";
import {
  getBlockProof,
  getMasterchainInfo,
  getTime,
  listBlockTransactions,
  liteQueries,
  runSmcMethod,
  sendMessage,
} from "../../../src/lite/tl/liteQueries.ts";
import { encodeQuery, type Wait } from "../../../src/lite/tl/queryEnvelope.ts";
import { queryHandlers } from "../../../src/localnet/answers/list.ts";
import type { Ledger } from "../../../src/localnet/ledger/Ledger.ts";
import { LocalLiteServer } from "../../../src/localnet/network/LocalLiteServer.ts";
import { openRecording } from "../../../src/localnet/recording/openRecording.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import { replayRecording } from "../../kit/localnet/replayRecording.ts";
import { growSplitChain, importSplitChain, readSplitExchanges, splitFolder } from "../../kit/localnet/splitChain.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const { signal } = new AbortController();
const elector = makeAddress(-1, "3".repeat(64));

function waitingFor(seqno: number, timeoutMs: number): Uint8Array {
  const wait: Wait = { seqno, timeoutMs };
  return encodeQuery(getMasterchainInfo, {}, wait);
}

function refusalIn(answer: Uint8Array) {
  return findServerError(answer);
}

describe("a local lite server", () => {
  it("answers every query of the schema", () => {
    expect(queryHandlers.map(({ query }) => query.name).toSorted()).toEqual(
      liteQueries.map(({ name }) => name).toSorted(),
    );
  });

  it("answers recorded queries with the node's own bytes, and reads blocks in turns for all of them", async () => {
    const ledger = importSplitChain();
    const readings = { atOnce: vi.spyOn(ledger, "root"), inTurns: vi.spyOn(ledger, "rootInTurns") };
    const table = await replayRecording(ledger, readSplitExchanges());
    expect(readings.atOnce).not.toHaveBeenCalled();
    expect(readings.inTurns).toHaveBeenCalled();
    const wrong = [...table].filter(([, row]) => row.sameBytes !== row.count || row.sameValue !== row.count);
    expect(wrong).toEqual([]);
    expect([...table.keys()].length).toBeGreaterThan(10);
  });

  it("reports the time of its clock, which for a recording is that of the newest block", async () => {
    const { ledger, server } = openRecording(splitFolder, { clock: systemClock });
    expect(await ask(server, getTime, {}, { signal })).toEqual({ now: ledger.head?.info.genUtime });
  });
});

it("lets timers fire, however many queries follow each other", async () => {
  const server = new LocalLiteServer({ ledger: importSplitChain() });
  const caller = new AbortController();
  const reason = new LibError("lib/deadline", "time was up");
  setTimeout(() => caller.abort(reason), 30);
  const askOn = async (): Promise<void> => {
    for (let asked = 0; asked < 500_000; asked++) await ask(server, getMasterchainInfo, {}, { signal: caller.signal });
  };
  await expect(askOn()).rejects.toBe(reason);
});

describe("a query that waits for a block", () => {
  it("is answered at once if the block exists", async () => {
    const server = new LocalLiteServer({ ledger: importSplitChain(), clock: new ManualClock() });
    const answer = decodeAnswer(getMasterchainInfo, await server.ask(waitingFor(40, 1), { signal }));
    expect(answer.last.seqno).toBe(40);
  });

  it("is answered as soon as the chain has grown to it", async () => {
    const { ledger, grow } = growSplitChain(3);
    const server = new LocalLiteServer({ ledger, clock: new ManualClock() });
    const answer = server.ask(waitingFor(5, 1000), { signal });
    grow();
    grow();
    expect(decodeAnswer(getMasterchainInfo, await answer).last.seqno).toBe(5);
  });

  it("is rejected at the timeout, with the node's text", async () => {
    const clock = new ManualClock();
    const server = new LocalLiteServer({ ledger: growSplitChain(1).ledger, clock });
    const answer = server.ask(waitingFor(2, 300), { signal });
    await clock.advance(300);
    expect(refusalIn(await answer)).toEqual({ code: 652, message: "timeout" });
  });

  it("waits at most ten seconds", async () => {
    const clock = new ManualClock();
    const server = new LocalLiteServer({ ledger: growSplitChain(1).ledger, clock });
    const answer = server.ask(waitingFor(2, 1_000_000), { signal });
    await clock.advance(10_000);
    expect(refusalIn(await answer)).toEqual({ code: 652, message: "timeout" });
  });

  it("is rejected at once if the block is far ahead", async () => {
    const server = new LocalLiteServer({ ledger: importSplitChain(), clock: new ManualClock() });
    const answer = await server.ask(waitingFor(141, 300), { signal });
    expect(refusalIn(answer)).toEqual({ code: 651, message: "too big masterchain block seqno" });
    expect(refusalIn(await server.ask(waitingFor(-1, 300), { signal }))?.code).toBe(651);
  });

  it("ends with its signal's reason", async () => {
    const server = new LocalLiteServer({ ledger: importSplitChain(), clock: new ManualClock() });
    const giving = new AbortController();
    const answer = server.ask(waitingFor(41, 5000), { signal: giving.signal });
    giving.abort(new LiteError("lite/timeout", "the caller is gone"));
    await expect(answer).rejects.toMatchObject({ code: "lite/timeout" });
  });

  it("is finished by close, and ended by destroy", async () => {
    const { ledger, grow } = growSplitChain(1);
    const server = new LocalLiteServer({ ledger, clock: new ManualClock() });
    const answer = server.ask(waitingFor(2, 5000), { signal });
    const closed = server.close();
    await expect(server.ask(waitingFor(1, 0), { signal })).rejects.toMatchObject({ code: "lite/closed" });
    grow();
    expect(decodeAnswer(getMasterchainInfo, await answer).last.seqno).toBe(2);
    await closed;
    const other = new LocalLiteServer({ ledger, clock: new ManualClock() });
    const lost = other.ask(waitingFor(3, 5000), { signal });
    other.destroy(new LiteError("lite/closed", "over"));
    await expect(lost).rejects.toMatchObject({ code: "lite/closed", message: "over" });
  });
});

/** An external message to the elector, which accepts none. */
function externalToElector(): Uint8Array {
  // ext_in_msg_info$10 src:addr_none$00 dest:addr_std$10 no anycast, import_fee 0; no init, empty body
  const cell = beginCell()
    .storeUint(0b10_00_10_0, 7)
    .storeInt(-1, 8)
    .storeHex("3".repeat(64))
    .storeUint(0, 4)
    .storeUint(0, 2);
  return writeBoc(cell.cell());
}

describe("modules of the lite server", () => {
  const ledger: Ledger = importSplitChain();
  const call = {
    mode: 4,
    id: blockIdToTl(ledger.headId),
    account: accountIdToTl(elector),
    methodId: 86535n,
    params: new Uint8Array(),
  };

  it("runs get-methods if given", async () => {
    const stack = beginCell().storeUint(0, 24).cell();
    const calls: unknown[] = [];
    const runMethod = async (value: unknown) => {
      calls.push(value);
      return { exitCode: 7, stack };
    };
    const server = new LocalLiteServer({ ledger, runMethod });
    const answer = await ask(server, runSmcMethod, call, { signal });
    expect(answer).toMatchObject({ exitCode: 7, mode: 4 });
    expect(Buffer.compare(answer.result ?? new Uint8Array(), writeBoc(stack))).toBe(0);
    expect(calls).toEqual([
      expect.objectContaining({ address: elector, methodId: 86535n, stack: undefined, master: ledger.headId }),
    ]);
  });

  it("reports a missing one", async () => {
    const server = new LocalLiteServer({ ledger });
    const run = await server.ask(encodeQuery(runSmcMethod, call), { signal });
    expect(refusalIn(run)).toEqual({ code: 651, message: "this server does not run get-methods" });
    const sent = await server.ask(encodeQuery(sendMessage, { body: externalToElector() }), { signal });
    const readOnly =
      "cannot apply external message to current state : this chain is a recording and accepts no messages";
    expect(refusalIn(sent)).toEqual({ code: 651, message: readOnly });
  });

  it("accepts messages or returns the reason", async () => {
    const taking = new LocalLiteServer({ ledger, submit: async () => ({ kind: "accepted" }) });
    expect(await ask(taking, sendMessage, { body: externalToElector() }, { signal })).toEqual({ status: 1 });
    const refusing = new LocalLiteServer({
      ledger,
      submit: async () => ({ kind: "refused", code: -701, message: "not accepted" }),
    });
    const answer = await refusing.ask(encodeQuery(sendMessage, { body: externalToElector() }), { signal });
    const message = "cannot apply external message to current state : not accepted";
    expect(refusalIn(answer)).toEqual({ code: -701, message });
  });

  it("uses signatures: without them no proof leads forward", async () => {
    const server = new LocalLiteServer({ ledger });
    const query = encodeQuery(getBlockProof, {
      mode: 1,
      knownBlock: blockIdToTl(ledger.zero.id),
      targetBlock: blockIdToTl(ledger.headId),
    });
    const refusal = refusalIn(await server.ask(query, { signal }));
    expect(refusal?.code).toBe(651);
    expect(refusal?.message).toMatch(/^cannot load proof for \(-1,8000000000000000,40\):/);
  });
});

describe("a page of transactions", () => {
  const ledger: Ledger = importSplitChain();
  const server = new LocalLiteServer({ ledger });

  it("has at most 256 entries, and none for a count that a node reads as negative", async () => {
    const id = blockIdToTl(ledger.headId);
    const page = await ask(server, listBlockTransactions, { id, mode: 7, count: 100_000 }, { signal });
    expect(page).toMatchObject({ reqCount: 100_000, incomplete: false });
    const none = await ask(server, listBlockTransactions, { id, mode: 7, count: 0xffffffff }, { signal });
    expect(none).toMatchObject({ ids: [], incomplete: true });
  });

  it("followed by the next is the same as backwards", async () => {
    for (let seqno = 1; seqno <= 40; seqno++) {
      const id = blockIdToTl(ledger.getMaster(seqno).id);
      const forwards: string[] = [];
      for (let after: { account: Uint8Array; lt: bigint } | undefined; ; ) {
        const args = { id, mode: 7, count: 2, ...(after === undefined ? {} : { after }) };
        const { ids, incomplete } = await ask(server, listBlockTransactions, args, { signal });
        for (const { account = new Uint8Array(), lt = 0n } of ids) {
          forwards.push(`${Buffer.from(account).toString("hex")} ${lt}`);
          after = { account, lt };
        }
        if (!incomplete) break;
      }
      const args = { id, mode: 7, count: 256, reverseOrder: true as const };
      const { ids } = await ask(server, listBlockTransactions, args, { signal });
      const backwards = ids.map(
        ({ account = new Uint8Array(), lt }) => `${Buffer.from(account).toString("hex")} ${lt}`,
      );
      expect(backwards.reverse()).toEqual(forwards);
    }
  });
});
