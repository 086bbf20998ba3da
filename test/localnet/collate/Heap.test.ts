import fc from "fast-check";
import { expect, it } from "vitest";
import { Heap } from "../../../src/localnet/collate/Heap.ts";

it("gives the items in their order, however they were added and taken", () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer())), (steps) => {
      const heap = new Heap<number>((a, b) => a < b);
      const kept: number[] = [];
      for (const step of steps) {
        if (step === null) {
          expect(heap.take()).toBe(kept.shift());
        } else {
          heap.add(step);
          kept.push(step);
          kept.sort((a, b) => a - b);
        }
      }
      for (const item of kept) expect(heap.take()).toBe(item);
      expect(heap.take()).toBeUndefined();
    }),
  );
});
