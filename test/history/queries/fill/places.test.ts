import { describe, expect, it } from "vitest";
import {
  endsNearSql,
  findEnds,
  findLts,
  maxPlaces,
  messagePlacesSql,
  receiversAfterSql,
} from "../../../../src/history/queries/fill/places.ts";
import type { HistorySnapshot } from "../../../../src/history/queries/kit/History.ts";
import type { SqlRow } from "../../../../src/history/store/Database.ts";
import { parseHash } from "../../../../src/model/Hash.ts";

const hash = parseHash("ab".repeat(32));
const bytes = Buffer.from("ab".repeat(32), "hex");
const at = { hashes: [hash], lts: [1n] };

/** A database in which a message from outside was received so many times. */
function readingOf(receptions: number): HistorySnapshot {
  const message = { hash: bytes, lt: 1n, out_tx_hash: null, is_outside: true };
  const received = Array.from({ length: receptions }, (_, i) => ({ hash: bytes, lt: BigInt(i), trace_id: bytes }));
  const query = async ({ text }: { readonly text: string }): Promise<readonly SqlRow[]> =>
    (text.includes("from messages m") ? [message] : received) as unknown as readonly SqlRow[];
  return { query } as unknown as HistorySnapshot;
}

describe("places of rows that hashes name", () => {
  it.each([
    ["messages", messagePlacesSql([hash])],
    ["their ends", endsNearSql(at, at)],
    ["receivers", receiversAfterSql(at)],
  ])("are read up to a number: %s", (_, { text }) => {
    expect(text.trimEnd().endsWith(`limit ${maxPlaces + 1}`)).toBe(true);
  });

  it("are refused beyond it, and answered at it", async () => {
    expect(await findEnds(readingOf(maxPlaces), { hashes: [hash] })).toHaveLength(1);
    const refused = { code: "history/unsearched", message: expect.stringContaining("ask by account and time") };
    await expect(findEnds(readingOf(maxPlaces + 1), { hashes: [hash] })).rejects.toMatchObject(refused);
    await expect(findLts(readingOf(maxPlaces + 1), receiversAfterSql(at))).rejects.toMatchObject(refused);
  });
});
