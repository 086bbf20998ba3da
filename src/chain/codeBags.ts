import { crcForm, writeBoc } from "../cell/boc.ts";
import type { Cell } from "../cell/Cell.ts";
import type { Lru } from "../lib/lru.ts";
import type { Hash } from "../model/Hash.ts";

/** Codes as bags, each written once: most accounts share a few codes, and ordering their cells is expensive. */
export type CodeBags = Lru<Hash, Uint8Array>;

/** A code as a bag. */
export function writeCode(bags: CodeBags, code: Cell): Uint8Array {
  const hash = code.hash();
  const known = bags.find(hash);
  if (known !== undefined) return known;
  const bag = writeBoc(code, crcForm);
  bags.set(hash, bag);
  return bag;
}
