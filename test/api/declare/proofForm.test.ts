import { expect, it } from "vitest";
import { AnswerNotes } from "../../../src/api/declare/AnswerNotes.ts";
import { encodeProof, formatProof } from "../../../src/api/declare/proofForm.ts";
import { formatDeferred } from "../../../src/lib/kit/deferredJson.ts";
import type { Exchange } from "../../../src/lite/server/ExchangeRecorder.ts";
import { KeptExchange } from "../../../src/lite/server/KeptExchange.ts";
import { masterchain, wholeShard } from "../../../src/model/block/BlockId.ts";
import { zeroHash } from "../../../src/model/Hash.ts";

const zeroState = { workchain: masterchain, shard: wholeShard, seqno: 0, rootHash: zeroHash, fileHash: zeroHash };
const block = { ...zeroState, seqno: 7 };
const bytes = (length: number) => Uint8Array.from({ length }, (_, i) => i * 7);
const proofOf = (exchanges: readonly Exchange[]) => ({ zeroState, block, since: zeroState, exchanges });

it("has the same JSON as text and as a value", () => {
  const exchanges = [
    { query: bytes(5), answer: bytes(301) },
    new KeptExchange({ query: bytes(6), answer: bytes(1000) }),
    { query: bytes(0), answer: bytes(0) },
  ];
  for (const each of [[], exchanges.slice(0, 1), exchanges])
    expect(`{${formatProof(proofOf(each))}}`).toBe(formatDeferred(encodeProof(proofOf(each))));
});

it("is written anew for other blocks or exchanges, and the same text where all are those that caches keep", () => {
  const kept = [6, 7].map((length) => new KeptExchange({ query: bytes(length), answer: bytes(100 * length) }));
  const fresh = { query: bytes(8), answer: bytes(20) };
  const proofs = [
    proofOf(kept),
    proofOf([...kept]),
    proofOf(kept.slice(1)),
    proofOf([...kept].reverse()),
    { ...proofOf(kept), block: { ...block, seqno: 8 } },
    { ...proofOf(kept), since: { ...zeroState, seqno: 1 } },
    proofOf([fresh, ...kept]),
    proofOf([...kept, fresh]),
    proofOf(kept),
  ];
  const expected = proofs.map((proof) => formatDeferred(encodeProof(proof)));
  for (const _time of [1, 2]) expect(proofs.map((proof) => `{${formatProof(proof)}}`)).toEqual(expected);
});

it("has no text made at once where it is written in steps", () => {
  const [most, one] = [
    { query: bytes(1), answer: bytes((48 << 10) - 1) },
    { query: bytes(1), answer: bytes(0) },
  ];
  expect(typeof formatProof(proofOf([most]))).toBe("string");
  expect(formatProof(proofOf([most, one]))).toBe(undefined);
});

it("has the further fields of an answer in its text, until it is released", () => {
  const notes = new AnswerNotes();
  const proof = proofOf([{ query: bytes(5), answer: bytes(30) }]);
  expect(notes.proofText).toBe(undefined);
  notes.provedBy({ json: () => encodeProof(proof), text: formatProof(proof), release: () => {} });
  expect(`{${notes.proofText}}`).toBe(formatDeferred(notes.proof));
  notes.addToProof({ at: 3, complete: true });
  notes.addToProof({ places: [{ hash: 'ä"' }] });
  expect(JSON.parse(`{${notes.proofText}}`)).toEqual(JSON.parse(formatDeferred(notes.proof)));
  notes.releaseProof();
  expect([notes.proofText, notes.proof]).toEqual([undefined, undefined]);
});
