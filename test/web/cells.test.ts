import { beginCell as beginCore, Cell as CoreCell, Dictionary } from "@ton/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeMerkleProof } from "../../kit/cell/merkleProofs.ts";
import { writeBoc } from "../../src/cell/boc.ts";
import { makeMerkleUpdate } from "../../src/cell/merkle/merkleUpdate.ts";
import { runAtOnce } from "../../src/lib/sharing/steps.ts";
import type { Address } from "../../src/model/Address.ts";
import type { Cell } from "../../web/cells/Cell.ts";
import { listEntries } from "../../web/cells/dictionary.ts";
import { parseBag } from "../../web/cells/parseBag.ts";
import { findText, formatBits } from "../../web/cells/Slice.ts";
import { addressBag } from "../../web/contract/stack.ts";
import { anyAddress, anyCell } from "../kit/model/modelValues.ts";

/** The common data of a cell and everything below it. */
type Seen = readonly [hash: string, bits: number, refs: readonly Seen[]];

function seenHere({ hash, bitLength, refs }: Cell): Seen {
  return [hash, bitLength, refs.map(seenHere)];
}

function seenByCore(cell: CoreCell): Seen {
  return [cell.hash().toString("hex"), cell.bits.length, cell.refs.map(seenByCore)];
}

function check(boc: Buffer): void {
  const here = parseBag(boc.toString("base64"));
  expect(here.map(seenHere)).toEqual(CoreCell.fromBoc(boc).map(seenByCore));
  expect(parseBag(boc.toString("hex")).map(seenHere)).toEqual(here.map(seenHere));
}

describe("the cells of the explorer", () => {
  it("are read from any form of bag like in @ton/core", () => {
    fc.assert(
      fc.property(anyCell, fc.boolean(), fc.boolean(), (cell, index, crc) => check(writeBoc(cell, { index, crc }))),
    );
  });

  it("have the hashes of every level in Merkle proofs and updates", () => {
    fc.assert(
      fc.property(anyCell, anyCell, (one, other) => {
        check(writeBoc(makeMerkleProof(one, (cell) => cell.refCount > 0)));
        check(writeBoc(runAtOnce(makeMerkleUpdate(one, other))));
        check(
          writeBoc(
            makeMerkleProof(
              makeMerkleProof(one, (cell) => cell === one),
              () => true,
            ),
          ),
        );
      }),
    );
  });

  it("reject a truncated bag with a reason, never with a crash", () => {
    fc.assert(
      fc.property(anyCell, fc.nat(), (cell, at) => {
        const boc = writeBoc(cell);
        const cut = boc.subarray(0, at % boc.length).toString("base64");
        expect(() => parseBag(cut)).toThrow(expect.objectContaining({ name: "BagError" }));
      }),
    );
  });

  it("list the entries of a dictionary", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.integer({ min: 0 }).map(String), fc.nat({ max: 2 ** 31 }), { minKeys: 1 }),
        (given) => {
          const made = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.Uint(32));
          for (const [key, value] of Object.entries(given)) made.set(Number(key), value);
          const boc = beginCore().storeDictDirect(made).endCell().toBoc().toString("base64");
          const found = parseBag(boc).flatMap((root) => listEntries(root, 32));
          expect(new Map(found.map(([key, value]) => [Number(key), Number(value.uint(32))]))).toEqual(
            new Map([...made].map(([key, value]) => [key, value])),
          );
        },
      ),
    );
  });

  it("show bits in the usual notation, and text as text", () => {
    fc.assert(
      fc.property(anyCell, (cell) => {
        const boc = writeBoc(cell);
        const [root] = parseBag(boc.toString("base64"));
        const [core] = CoreCell.fromBoc(boc);
        expect(root && formatBits(root).toUpperCase()).toBe(core?.bits.toString());
      }),
    );
    const text = (text: string) => {
      const cell = beginCore().storeUint(0, 32).storeStringTail(text).endCell();
      return parseBag(cell.toBoc().toString("base64")).map(findText);
    };
    expect(text("for the tea")).toEqual(["for the tea"]);
    expect(text("привет")).toEqual(["привет"]);
    expect(text("\u0001\u0002\u0003\u0004")).toEqual([undefined]);
  });

  it("put an address into a slice like wallets", () => {
    fc.assert(
      fc.property(anyAddress, (address: Address) => {
        const slice = CoreCell.fromBase64(addressBag(address.toUpperCase())).asSlice();
        expect(slice.loadAddress().toRawString()).toBe(address);
        expect([slice.remainingBits, slice.remainingRefs]).toEqual([0, 0]);
      }),
    );
  });
});
