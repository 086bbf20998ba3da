import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { v3Endpoints } from "../../../src/api/v3/list.ts";
import { PagePositions } from "../../../src/history/queries/kit/PagePositions.ts";
import { knownWallet, openV3Stage, type V3Stage } from "../../kit/api/v3/v3Stage.ts";
import { multi, vestings } from "../../kit/history/tokenRows.ts";
import { someOf } from "../../kit/suite/everything.ts";

let stage: V3Stage;

beforeAll(async () => {
  stage = await openV3Stage("postgres", { minResumedOffset: 1 });
});

afterAll(() => stage.close());

/** Required arguments of lists. */
const needed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  masterchainBlockShards: { seqno: "20" },
  transactionsByMasterchainBlock: { seqno: "20" },
  transactionsByMessage: { opcode: "ffffffff" },
  "dns/records": { wallet: knownWallet },
  "multisig/wallets": { address: `${multi.first},${multi.second}` },
  "multisig/orders": { multisig_address: multi.first },
  vesting: { contract_address: Object.values(vestings).join() },
};

interface Part {
  readonly items: readonly unknown[];
  readonly next: string | null;
}

async function ask(name: string, args: Readonly<Record<string, unknown>>): Promise<Part> {
  const query = new URLSearchParams(Object.entries(args).map(([key, value]): [string, string] => [key, String(value)]));
  const response = await fetch(`${stage.server.origin}/api/v3/${name}?${query}`);
  const body = (await response.json()) as object;
  expect([response.status, body]).toEqual([200, body]);
  const items = Array.isArray(body) ? body : (Object.values(body).find(Array.isArray) ?? []);
  return { items, next: response.headers.get("x-next-cursor") };
}

/** Page after page, so that each begins where the one before ended. */
async function byOffset(name: string, args: object, limit: number, total: number): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for (let offset = 0; offset < total; offset += limit)
    all.push(...(await ask(name, { ...args, limit, offset })).items);
  return all;
}

/** From the last page to the first. */
async function byOffsetBackwards(name: string, args: object, limit: number, total: number) {
  const pages: (readonly unknown[])[] = [];
  for (let offset = Math.floor((total - 1) / limit) * limit; offset >= 0; offset -= limit)
    pages.unshift((await ask(name, { ...args, limit, offset })).items);
  return pages.flat();
}

async function byCursor(name: string, args: object, limit: number): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const part: Part = await ask(name, { ...args, limit, cursor });
    all.push(...part.items);
    cursor = part.next;
  }
  return all;
}

const paged = v3Endpoints.filter(({ args }) => Object.hasOwn(args, "cursor"));

describe("every list", () => {
  it.each(paged)("of $name comes in pages that add up to the whole, by offset and by cursor", async (endpoint) => {
    const { name, args: declared } = endpoint;
    expect(Object.keys(declared)).toEqual(expect.arrayContaining(["limit", "offset", "cursor"]));
    const own = needed[name] ?? {};
    const sorts = Object.hasOwn(declared, "sort") ? ["asc", "desc"] : [undefined];
    for (const sort of sorts) {
      const args = { ...own, ...(sort && { sort }) };
      const { items } = await ask(name, { ...args, limit: 1000 });
      expect(items.length).toBeGreaterThan(1);
      const limit = Math.max(1, Math.ceil(items.length / 4));
      const resumed = vi.spyOn(PagePositions.prototype, "find");
      const found = () => resumed.mock.results.filter(({ value }) => value !== undefined).length;
      expect(await byOffset(name, args, limit, items.length)).toEqual(items);
      expect(found()).toBe(Math.ceil(items.length / limit) - 1);
      resumed.mockReturnValue(undefined);
      expect(await byOffsetBackwards(name, args, limit + 1, items.length)).toEqual(items);
      resumed.mockRestore();
      expect(await byCursor(name, args, limit)).toEqual(items);
      expect((await ask(name, { ...args, limit: 0, offset: -3 })).items).toEqual(items.slice(0, 1));
    }
  });

  it("of actions has its cursor in the body as well", async () => {
    const read = async (limit: number) => {
      const response = await fetch(`${stage.server.origin}/api/v3/actions?limit=${limit}`);
      const body = (await response.json()) as { readonly actions: readonly unknown[]; readonly next_cursor: unknown };
      return { count: body.actions.length, cursor: body.next_cursor, header: response.headers.get("x-next-cursor") };
    };
    const [part, whole] = [await read(2), await read(1000)];
    expect(part).toEqual({ count: 2, cursor: expect.any(String), header: part.cursor });
    expect(whole).toEqual({ count: stage.rows.actions.length, cursor: null, header: null });
  });

  // The cursor of actions has a form of its own, which its own test forges.
  it.each(paged.filter(({ name }) => name !== "actions"))("of $name rejects forged cursors", async ({ name }) => {
    const own = needed[name] ?? {};
    const { next } = await ask(name, { ...own, limit: 1 });
    const [list, ...values] = JSON.parse(Buffer.from(next ?? "", "base64url").toString()) as readonly unknown[];
    // Out of range, of another type, or not a value; if a column accepts one, the list continues there.
    const odd = [null, "x", "", "9".repeat(80), "-1", 5, true, [], "0x1", " 1", "1e3", "\u0000", "infinity", "\\x00"];
    const mutated = values.flatMap((_, at) => odd.map((value) => [list, ...values.with(at, value)]));
    // In the ordinary run each value is tried with some lists.
    const tried = someOf(mutated, (_, at) => (at + name.length) % 3 === 0);
    for (const cursor of [...tried, [list], [list, ...values, "1"], ["other", ...values], {}, null]) {
      const text = Buffer.from(JSON.stringify(cursor)).toString("base64url");
      const query = new URLSearchParams({ ...own, limit: "1", cursor: text });
      const response = await fetch(`${stage.server.origin}/api/v3/${name}?${query}`);
      const body = Object(await response.json());
      const isRefused = response.status === 422 && /^invalid cursor for this list: /.test(body.error);
      expect([cursor, response.status, isRefused]).toEqual([cursor, isRefused ? 422 : 200, isRefused]);
    }
  });
});
