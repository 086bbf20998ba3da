import { expect, it } from "vitest";
import { encodeProof } from "../../../src/api/declare/proofForm.ts";
import { fromBase64 } from "../../../src/lib/bytes.ts";
import { formatDeferred, writeMixed } from "../../../src/lib/kit/deferredJson.ts";
import type { Exchange } from "../../../src/lite/server/ExchangeRecorder.ts";
import { masterchain, wholeShard } from "../../../src/model/block/BlockId.ts";
import { zeroHash } from "../../../src/model/Hash.ts";
import { atThisSpeed } from "../../kit/attacks/atThisSpeed.ts";
import { longestStepMs } from "../../kit/attacks/longestStepMs.ts";

/* A receiver decides at which block its proof begins, not how long others wait: no step takes over 10 ms. */

const stepMs = 10;
const block = { workchain: masterchain, shard: wholeShard, seqno: 1, rootHash: zeroHash, fileHash: zeroHash };

function proofOf(exchanges: readonly Exchange[]) {
  return encodeProof({ zeroState: block, block, since: block, exchanges });
}

it("writes a proof of 40 MB in steps, whether it has many answers or a large one", () => {
  const nothing = { maxPartBytes: Number.POSITIVE_INFINITY, texts: new Map(), add: () => {} };
  const large = [{ query: new Uint8Array(4), answer: new Uint8Array(16 << 20) }];
  const many = Array.from({ length: 800 }, (_, i) => ({
    query: Uint8Array.of(i, i >> 8),
    answer: new Uint8Array(50_000),
  }));
  for (const exchanges of [large, many]) {
    const times = [1, 2, 3].map(() => longestStepMs(writeMixed(nothing, proofOf(exchanges))));
    expect(Math.min(...times)).toBeLessThan(atThisSpeed(stepMs));
  }
});

it("writes the same text in steps and at once", () => {
  const bytes = (length: number) => Uint8Array.from({ length }, (_, i) => i * 7);
  for (const length of [1, 2, 3, 40_000, 49_150, 49_152, 49_153, 98_304, 100_001]) {
    const exchanges = [
      { query: bytes(5), answer: bytes(length) },
      { query: bytes(6), answer: bytes(7) },
    ];
    const { answers } = JSON.parse(formatDeferred(proofOf(exchanges)));
    const read = answers.map(([query, answer]: readonly string[]) => ({
      query: fromBase64(query ?? ""),
      answer: fromBase64(answer ?? ""),
    }));
    expect(read).toEqual(exchanges);
  }
});
