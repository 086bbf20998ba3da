import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LiteExchange, readLiteExchanges } from "../../../kit/lite/liteExchanges.ts";
import { fromBase64, fromHex } from "../../../src/lib/bytes.ts";
import { isCoded } from "../../../src/lib/errors.ts";
import { decodeAnswer } from "../../../src/lite/server/LiteServer.ts";
import { decodeQuery, unwrapQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import { checkBadExchange, checkExchange, isBad } from "../../kit/lite/checkExchange.ts";

const exchanges = readLiteExchanges("test/fixtures/realnet/lite-answers.jsonl.gz");
const good = exchanges.filter((exchange) => !isBad(exchange));
const bad = exchanges.filter(isBad);

/** The outcome of decoding malformed bytes: a value or an error code. */
function outcome(work: () => unknown): "value" | string {
  try {
    work();
    return "value";
  } catch (error) {
    return isCoded(error) ? error.code : `not coded: ${error}`;
  }
}

function queryOf(exchange: LiteExchange): Uint8Array {
  return unwrapQuery(fromHex(exchange.request));
}

describe("recorded exchanges", () => {
  it("exist", () => {
    expect(good.length).toBeGreaterThan(250);
    expect(bad.map((exchange) => exchange.note)).toEqual([
      "unknown function",
      "empty query",
      "trailing bytes",
      "cut off",
      "without the liteServer.query wrapper",
    ]);
  });

  it("decode to their value and encode to the same bytes", () => {
    good.forEach(checkExchange);
  });

  it("with a bad query are rejected with the reference's text", () => {
    bad.forEach(checkBadExchange);
  });

  it("truncated anywhere are rejected with a code", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...good),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (exchange, at) => {
          const asked = queryOf(exchange);
          const { query } = decodeQuery(asked);
          const answer = fromBase64(exchange.response ?? "");
          expect(outcome(() => decodeQuery(asked.subarray(0, asked.length * at)))).toBe("lite/tl");
          expect(outcome(() => decodeAnswer(query, answer.subarray(0, answer.length * at)))).toBe("lite/tl");
        },
      ),
      { numRuns: 500 },
    );
  });

  it("with an additional byte are rejected", () => {
    for (const exchange of good) {
      const { query } = decodeQuery(queryOf(exchange));
      const answer = Buffer.concat([fromBase64(exchange.response ?? ""), new Uint8Array(4)]);
      expect(outcome(() => decodeAnswer(query, answer))).toBe("lite/tl");
    }
  });

  it("with a changed byte give a value or a code, never a crash", () => {
    fc.assert(
      fc.property(fc.constantFrom(...good), fc.nat(), fc.integer({ min: 1, max: 255 }), (exchange, at, change) => {
        const { query } = decodeQuery(queryOf(exchange));
        const answer = fromBase64(exchange.response ?? "");
        const place = at % answer.length;
        answer[place] = (answer[place] ?? 0) ^ change;
        expect(outcome(() => decodeAnswer(query, answer))).toMatch(/^value$|^lite\/(tl|server)$/);
      }),
      { numRuns: 1_000 },
    );
  });
});
