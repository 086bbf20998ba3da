import { beginCell, Cell as CoreCell, loadMessage, storeMessage } from "@ton/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellOf } from "../../kit/cell/anyCell.ts";
import { readRoot, writeBoc } from "../../src/cell/boc.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { loadCell, storeCell } from "../../src/cell/codec.ts";
import { loadInCell, Message, MessageInfo, RelaxedMessage } from "../../src/model/Message.ts";
import { StateInit } from "../../src/model/StateInit.ts";
import { Transaction } from "../../src/model/Transaction.ts";
import { itHoldsForRandom, plainValue } from "../kit/cell/checkCodec.ts";
import { coreMessage } from "../kit/cell/coreValues.ts";
import { fixtureTransactions } from "../kit/model/fixtureChain.ts";
import { anyMessage, anyMessageInfo, anyRelaxedMessage } from "../kit/model/messageValues.ts";
import { repeats } from "../kit/suite/everything.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

function withoutPlaces({ info, init, body }: Message): unknown {
  return { info: plainValue(info), init: init && storeCell(StateInit, init).hash(), body: body.hash() };
}

function toCore(cell: Cell): CoreCell {
  return CoreCell.fromBoc(writeBoc(cell))[0] as CoreCell;
}

/** `@ton/core` does not support rewritten addresses. */
function isPlain({ info }: Message): boolean {
  return [info.src, info.dest].every((a) => typeof a !== "object" || a.kind === "external");
}

describe("messages", () => {
  itHoldsForRandom("Message", Message, anyMessage);
  itHoldsForRandom("RelaxedMessage", RelaxedMessage, anyRelaxedMessage);
  itHoldsForRandom("MessageInfo", MessageInfo, anyMessageInfo);

  it("are read like in @ton/core", () => {
    fc.assert(
      fc.property(anyMessage.filter(isPlain), (message) => {
        const core = loadMessage(toCore(storeCell(Message, message)).beginParse());
        expect(withoutPlaces(message)).toEqual(coreMessage(core));
      }),
      { numRuns: repeats({ usual: 80, all: 300 }) },
    );
  });

  it("are written like in @ton/core if both parts are in separate cells", () => {
    fc.assert(
      fc.property(anyMessage.filter(isPlain), (message) => {
        const placed: Message = { ...message, initPlace: "ref", bodyPlace: "ref" };
        const core = loadMessage(toCore(storeCell(Message, placed)).beginParse());
        const again = beginCell()
          .store(storeMessage(core, { forceRef: true }))
          .endCell();
        expect(again.hash().toString("hex")).toBe(storeCell(Message, placed).hash());
      }),
      { numRuns: repeats({ usual: 80, all: 300 }) },
    );
  });

  it("of recorded transactions are read like in @ton/core and store to the same cells", () => {
    let count = 0;
    for (const cell of fixtureTransactions("traffic")) {
      const { messages } = loadCell(Transaction, cell);
      for (const message of [messages.in, ...messages.out.values()]) {
        if (message === undefined) continue;
        expect(withoutPlaces(message)).toEqual(coreMessage(loadMessage(toCore(message.cell).beginParse())));
        expect(storeCell(Message, message).hash()).toBe(message.cell.hash());
        count++;
      }
    }
    expect(count).toBeGreaterThan(200);
  });

  it("keep the layout of their parts", () => {
    const [inline, apart] = (["inline", "ref"] as const).map((bodyPlace) =>
      storeCell(Message, {
        info: { kind: "externalIn", src: undefined, dest: address, importFee: 0n },
        init: undefined,
        initPlace: "inline",
        body: cellOf("1011"),
        bodyPlace,
      }),
    );
    expect([inline, apart].map((cell) => cell && loadCell(Message, cell).bodyPlace)).toEqual(["inline", "ref"]);
    expect([inline, apart].map((cell) => cell && loadCell(Message, cell).body.hash())).toEqual(
      Array(2).fill(cellOf("1011").hash()),
    );
    expect(inline?.hash()).not.toBe(apart?.hash());
  });

  it("have the cell they were read from, on request", () => {
    const loaded = fixtureTransactions("traffic").map((cell) => loadCell(Transaction, cell).messages.in);
    const message = loaded.find((found) => found !== undefined);
    if (message === undefined) throw new Error("no transaction has a message");
    expect(loadInCell(Message, message.cell)).toEqual(message);
  });

  it("that are external have no source account", () => {
    // ext_in_msg_info$10 with a standard address as its source
    expect(refusalCode(() => loadCell(Message, cellOf(`10100${"0".repeat(600)}`)))).toBe("model/address");
  });

  it("are rejected with left-over data", () => {
    const cell = readRoot(writeBoc(storeCell(MessageInfo, anInfo)));
    expect(refusalCode(() => loadCell(MessageInfo, cellOf("1", [cell])))).not.toBe("");
    expect(refusalCode(() => loadCell(MessageInfo, withMore(cell)))).toBe("cell/leftover");
  });
});

const address = `0:${"5a".repeat(32)}` as MessageAddress;
type MessageAddress = Extract<Extract<MessageInfo, { kind: "externalIn" }>["dest"], string>;
const anInfo: MessageInfo = { kind: "externalIn", src: undefined, dest: address, importFee: 7n };

function withMore(cell: Cell): Cell {
  const bits = Array.from({ length: cell.bitLength }, (_, i) => {
    const byte = cell.bytes[cell.dataAt + (i >> 3)] as number;
    return (byte >> (7 - (i & 7))) & 1;
  });
  return cellOf(`${bits.join("")}0`);
}
