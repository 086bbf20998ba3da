import { describe, expect, it } from "vitest";
import { type Builder, beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { sliceOf } from "../../../src/cell/Slice.ts";
import { changeDnsRecord } from "../../../src/contracts/families/dns/messages.ts";
import { jettonTransferBody } from "../../../src/contracts/families/jetton/messages.ts";
import { address } from "../../../src/contracts/kit/addressFields.ts";
import { choice, openBody } from "../../../src/contracts/kit/declare.ts";
import { dictionary } from "../../../src/contracts/kit/dictionaryField.ts";
import { bits, bool, uint, uint8 } from "../../../src/contracts/kit/fields.ts";
import { outList } from "../../../src/contracts/kit/messageFields.ts";
import { makeAddress } from "../../../src/model/Address.ts";

const account = "cd".repeat(32);
const owner = makeAddress(0, account);

function storeAddress(builder: Builder): Builder {
  return builder.storeUint(4, 3).storeInt(0, 8).storeHex(account);
}

function transfer(): Builder {
  const body = beginCell().storeUint(0x0f8a7ea5, 32).storeBigUint(7n, 64).storeCoins(50n);
  return storeAddress(body).storeUint(0, 2).storeBit(false).storeCoins(1n);
}

describe("a declared body", () => {
  const found = {
    queryId: 7n,
    amount: 50n,
    destination: owner,
    responseDestination: undefined,
    customPayload: undefined,
    forwardTonAmount: 1n,
    forwardPayload: undefined,
  };

  it("returns plain values", () => {
    expect(jettonTransferBody.find(transfer().cell())).toEqual(found);
  });

  it("returns a payload, inline or in a reference", () => {
    const payload = beginCell().storeUint(5, 32).cell();
    const inline = transfer().storeBit(false).storeUint(5, 32).cell();
    const inRef = transfer().storeBit(true).storeRef(payload).cell();
    for (const cell of [inline, inRef])
      expect(jettonTransferBody.find(cell)?.forwardPayload?.equals(payload)).toBe(true);
  });

  it("is not found in a truncated or exotic cell, or with another opcode", () => {
    expect(jettonTransferBody.find(emptyCell)).toBeUndefined();
    expect(jettonTransferBody.find(beginCell().storeUint(0x0f8a7ea5, 32).cell())).toBeUndefined();
    expect(
      jettonTransferBody.find(beginCell().storeUint(1, 32).storeSlice(sliceOf(transfer().cell())).cell()),
    ).toBeUndefined();
  });

  it("is found in a slice without moving it", () => {
    const slice = sliceOf(beginCell().storeUint(0, 8).storeSlice(sliceOf(transfer().cell())).cell()).skip(8);
    expect(jettonTransferBody.find(slice)).toEqual(found);
    expect(jettonTransferBody.find(slice)).toEqual(found);
  });

  it("ignores additional data in a typed reference", () => {
    const value = beginCell().storeUint(0x7473, 16).storeHex(account).storeUint(1, 9).cell();
    const body = beginCell().storeUint(0x4eb1f0f9, 32).storeBigUint(0n, 64).storeHex(account).storeRef(value).cell();
    expect(changeDnsRecord.find(body)?.value).toEqual({ kind: "storageAddress", bagId: account });
  });
});

describe("a body without an opcode", () => {
  const pair = openBody("pair", { first: uint8, second: bool }, (size) => size === 9);

  it("is found only without left-over data", () => {
    const builder = beginCell().storeUint(3, 8).storeBit(true);
    expect(pair.find(builder.cell())).toEqual({ first: 3, second: true });
    expect(pair.find(builder.storeBit(true).cell())).toBeUndefined();
  });
});

describe("a choice", () => {
  const colour = choice({ grey: ["$0", { level: uint(7) }], red: ["#ff", {}] });

  it("has the name of its constructor", () => {
    expect(colour.load(sliceOf(beginCell().storeUint(5, 8).cell()))).toEqual({ kind: "grey", level: 5 });
    expect(colour.load(sliceOf(beginCell().storeUint(0xff, 8).cell()))).toEqual({ kind: "red" });
  });

  it("rejects other tags", () => {
    const slice = sliceOf(beginCell().storeUint(0xfe, 8).cell());
    expect(() => colour.load(slice)).toThrow("none of grey, red is here");
  });
});

describe("fields", () => {
  it("return bits as hex, padded to whole bytes", () => {
    expect(bits(12).load(sliceOf(beginCell().storeUint(0xabc, 12).cell()))).toBe("abc0");
  });

  it("return no account for an absent address", () => {
    const external = beginCell().storeUint(1, 2).storeUint(8, 9).storeUint(7, 8).cell();
    expect(address.load(sliceOf(external))).toBeUndefined();
  });

  it("return the entries of a dictionary by key", () => {
    const leaf = (value: number): Cell => beginCell().storeUint(0b110, 3).storeUint(7, 3).storeUint(value, 8).cell();
    const root = beginCell().storeUint(0, 2).storeRef(leaf(1)).storeRef(leaf(2)).cell();
    const map = dictionary(8, uint8).load(sliceOf(beginCell().storeMaybeRef(root).cell()));
    expect([...map]).toEqual([
      [0, 1],
      [128, 2],
    ]);
  });

  it("reject a dictionary with very many entries", () => {
    let tree = beginCell().storeUint(0, 2).storeUint(0, 8).cell();
    for (let i = 0; i < 16; i++) tree = beginCell().storeUint(0, 2).storeRef(tree).storeRef(tree).cell();
    const slice = sliceOf(beginCell().storeMaybeRef(tree).cell());
    expect(() => dictionary(16, uint8).load(slice)).toThrow("over 4096 entries");
  });

  it("reject a list of more actions than a transaction may have", () => {
    let list: Cell = emptyCell;
    for (let i = 0; i < 256; i++)
      list = beginCell().storeRef(list).storeUint(0xad4de08e, 32).storeRef(emptyCell).cell();
    expect(outList.load(sliceOf(list.ref(0)))).toHaveLength(255);
    expect(() => outList.load(sliceOf(list))).toThrow("more than 255 actions");
  });
});
