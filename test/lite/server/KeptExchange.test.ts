import { expect, it } from "vitest";
import { toBase64 } from "../../../src/lib/bytes.ts";
import { ExchangeRecorder } from "../../../src/lite/server/ExchangeRecorder.ts";
import { KeptExchange } from "../../../src/lite/server/KeptExchange.ts";
import { ScriptedLite } from "../../kit/lite/ScriptedLite.ts";

const [query, answer] = [Uint8Array.of(1, 2, 3), Uint8Array.of(4, 5, 6, 7)];

it("has its texts made once, and weighs them", () => {
  const kept = new KeptExchange({ query, answer });
  expect(kept.texts).toEqual([toBase64(query), toBase64(answer)]);
  expect(kept.texts).toBe(kept.texts);
  expect(kept.bytes).toBe(26);
});

it("leaves long answers to be encoded in steps", () => {
  expect(new KeptExchange({ query, answer: new Uint8Array((48 << 10) + 1) }).texts).toBe(undefined);
});

it("is recorded once with the same query of another exchange", () => {
  const recorder = new ExchangeRecorder(new ScriptedLite([]));
  const kept = new KeptExchange({ query, answer });
  recorder.add(kept);
  recorder.add({ query, answer });
  expect(recorder.exchanges).toEqual([kept]);
});
