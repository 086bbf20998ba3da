import { expect, it } from "vitest";
import { cellOf, chainOf } from "../../kit/cell/anyCell.ts";
import { crcForm, readRoot, writeBoc } from "../../src/cell/boc.ts";
import { CodeBags } from "../../src/chain/CodeBags.ts";

it("codes are written as any bag is, and the same code once, wherever it was read from", () => {
  const bags = new CodeBags(1 << 20);
  const code = cellOf("1", [chainOf(5), cellOf("01")]);
  const bag = bags.write(code);
  expect(Buffer.from(bag)).toEqual(writeBoc(code, crcForm));
  expect(bags.write(readRoot(writeBoc(code)))).toBe(bag);
  expect(Buffer.from(bags.write(chainOf(5)))).toEqual(writeBoc(chainOf(5), crcForm));
  bags.clear();
  expect(bags.write(code)).not.toBe(bag);
  expect(bags.write(code)).toEqual(bag);
});
