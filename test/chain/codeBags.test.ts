import { expect, it } from "vitest";
import { cellOf, chainOf } from "../../kit/cell/anyCell.ts";
import { crcForm, readRoot, writeBoc } from "../../src/cell/boc.ts";
import { ChainCaches } from "../../src/chain/ChainCaches.ts";
import { writeCode } from "../../src/chain/codeBags.ts";

it("codes are written as any bag is, and the same code once, wherever it was read from", () => {
  const { codeBags: bags } = new ChainCaches();
  const code = cellOf("1", [chainOf(5), cellOf("01")]);
  const bag = writeCode(bags, code);
  expect(Buffer.from(bag)).toEqual(writeBoc(code, crcForm));
  expect(writeCode(bags, readRoot(writeBoc(code)))).toBe(bag);
  expect(Buffer.from(writeCode(bags, chainOf(5)))).toEqual(writeBoc(chainOf(5), crcForm));
  bags.clear();
  expect(writeCode(bags, code)).not.toBe(bag);
  expect(writeCode(bags, code)).toEqual(bag);
});
