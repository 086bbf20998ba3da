import { describe, expect, it } from "vitest";
import { resolveOutcome } from "../../../src/history/metadata/resolveOutcome.ts";
import type { Subject } from "../../../src/history/metadata/Subject.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { parseAddress } from "../../../src/model/Address.ts";

const { address } = parseAddress(`0:${"1".repeat(64)}`);
const subject: Subject = { address, type: "jetton_masters", content: {}, attempts: 0, wasValid: false };
const full = { ...subject, content: { symbol: "CN", uri: "https://example.org" } };
/** Waits without jitter. */
const random = { ...seededRandom("settle"), next: () => 0.5 };
const options = { attempts: 3, backoff: { firstMs: 40_000, factor: 4, maxMs: 1e9 }, freshSeconds: 1000 };
const failed = { kind: "failed", isFinal: false } as const;
const nothing = { name: undefined, description: undefined, symbol: undefined, image: undefined, extra: undefined };
const shown = { ...nothing, symbol: "CN", extra: { uri: "https://example.org" } };

const done = (from: Subject, outcome: Parameters<typeof resolveOutcome>[1]) =>
  resolveOutcome(from, outcome, 5000, random, options);
const row = { address, type: "jetton_masters", updatedAt: 5000 };

describe("an attempt to fetch a document", () => {
  it.each([
    ["went well with a document", full, { kind: "fetched", document: { name: "Coin" } }, { ...shown, name: "Coin" }],
    ["went well with what stands on the chain", full, { kind: "none" }, shown],
    ["went well with any document", subject, { kind: "fetched", document: {} }, { ...nothing, extra: {} }],
  ] as const)("%s", (_, from, outcome, fields) => {
    const times = { valid: true, expiresAt: 6000, attempts: 0, nextAttemptAt: undefined };
    expect(done({ ...from, attempts: 2 }, outcome)).toEqual({
      kind: "replaced",
      row: { ...row, ...fields, ...times },
    });
  });

  it("that failed is retried with growing delays and finally dropped", () => {
    const rows = [0, 1, 2].map((attempts) => done({ ...subject, attempts }, failed));
    const base = { ...row, ...nothing, valid: false, expiresAt: undefined };
    expect(rows).toEqual([
      { kind: "replaced", row: { ...base, attempts: 1, nextAttemptAt: 5030 } },
      { kind: "replaced", row: { ...base, attempts: 2, nextAttemptAt: 5120 } },
      { kind: "replaced", row: { ...base, attempts: 3, nextAttemptAt: undefined } },
    ]);
  });

  it("that failed permanently is dropped at once", () => {
    const given = { ...row, ...nothing, valid: false, expiresAt: undefined, attempts: 1, nextAttemptAt: undefined };
    for (const outcome of [{ kind: "failed", isFinal: true }, { kind: "none" }] as const)
      expect(done(subject, outcome)).toEqual({ kind: "replaced", row: given });
  });

  it("that failed keeps complete on-chain content and is retried", () => {
    expect(done(full, failed)).toEqual({
      kind: "replaced",
      row: { ...row, ...shown, valid: true, expiresAt: undefined, attempts: 1, nextAttemptAt: 5030 },
    });
    expect(done({ ...full, attempts: 2 }, failed)).toEqual({
      kind: "replaced",
      row: { ...row, ...shown, valid: true, expiresAt: 6000, attempts: 0, nextAttemptAt: undefined },
    });
  });

  it("that failed keeps the earlier document", () => {
    const known = { ...subject, wasValid: true };
    const kept = { address, type: "jetton_masters" };
    expect(done(known, failed)).toEqual({
      kind: "kept",
      row: { ...kept, expiresAt: undefined, attempts: 1, nextAttemptAt: 5030 },
    });
    expect(done({ ...known, attempts: 2 }, failed)).toEqual({
      kind: "kept",
      row: { ...kept, expiresAt: 6000, attempts: 0, nextAttemptAt: undefined },
    });
  });
});
