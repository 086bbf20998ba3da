import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { concatBytes, toHex } from "../../../src/lib/bytes.ts";
import { ByteQueue } from "../../../src/lite/adnl/ByteQueue.ts";

function hexOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : toHex(bytes);
}

describe("ByteQueue", () => {
  it("returns its input, whatever the sizes of the pieces", () => {
    const sizes = fc.array(fc.nat(20_000), { maxLength: 30 });
    fc.assert(
      fc.property(sizes, sizes, (pushed, wanted) => {
        const chunks = pushed.map((size, index) => new Uint8Array(size).fill(index + 1));
        const queue = new ByteQueue();
        chunks.forEach((chunk) => {
          queue.push(chunk);
        });
        const all = concatBytes(chunks);
        let at = 0;
        for (const size of wanted) {
          const fits = at + size <= all.length;
          const expected = fits ? toHex(all.subarray(at, at + size)) : undefined;
          expect(hexOf(queue.peek(size))).toBe(expected);
          expect(hexOf(queue.take(size))).toBe(expected);
          at += fits ? size : 0;
        }
        expect(queue.length).toBe(all.length - at);
        expect(hexOf(queue.take(queue.length)) ?? "").toBe(toHex(all.subarray(at)));
      }),
      { numRuns: 100 },
    );
  });
});
