import { crcForm, writeBoc } from "../cell/boc.ts";
import type { Cell } from "../cell/Cell.ts";
import { Lru } from "../lib/lru.ts";
import type { Hash } from "../model/Hash.ts";

/** Codes as bags, each written once: most accounts share a few codes, and ordering their cells is expensive. */
export class CodeBags {
  readonly #written: Lru<Hash, Uint8Array>;

  /** `maxBytes` is the largest total size of all bags; 2 MB are enough for a thousand codes. */
  constructor(maxBytes: number) {
    this.#written = new Lru({ maxBytes, sizeOf: ({ length }) => length + 200 });
  }

  write(code: Cell): Uint8Array {
    const hash = code.hash();
    const known = this.#written.find(hash);
    if (known !== undefined) return known;
    const bag = writeBoc(code, crcForm);
    this.#written.set(hash, bag);
    return bag;
  }

  clear(): void {
    this.#written.clear();
  }
}
