import { Address, beginCell, type Cell, external, internal, storeMessage } from "@ton/ton";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { mapEmulation, mapRoot } from "../kit/api/emulationMappers.ts";
import { type StartedService, startService } from "../kit/app/startedService.ts";
import { repeats } from "../kit/suite/everything.ts";

type Json = Readonly<Record<string, unknown>>;

const numRuns = repeats({ usual: 150, all: 500 });
const patience = { timeout: 500_000, interval: 200 };
let service: StartedService;

beforeAll(async () => {
  service = await startService({ flags: ["--block-ms", "1000"] });
  await vi.waitFor(async () => expect(await list("nft/items?limit=1", "nft_items")).toHaveLength(1), patience);
}, 600_000);
afterAll(() => service.close());

async function list(path: string, name: string): Promise<readonly Json[]> {
  const response = await fetch(`${service.origin}/api/v3/${path}`);
  return Object(await response.json())[name] ?? [];
}

async function emulate(name: string, body: Json) {
  const response = await fetch(`${service.origin}/api/emulate/v1/${name}`, {
    ...{ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
  });
  return { status: response.status, answer: (await response.json()) as Json };
}

const raw = (text: string) => {
  const { workChain, hash } = Address.parse(text);
  return `${workChain}:${hash.toString("hex").toUpperCase()}`;
};

/** A tree of cells with any bits, of at most this many levels. */
function treesOf(levels: number): fc.Arbitrary<Cell> {
  const refs = levels === 0 ? fc.constant([]) : fc.array(treesOf(levels - 1), { maxLength: 3 });
  return fc.tuple(fc.uint8Array({ maxLength: 60 }), fc.nat(7), refs).map(([bytes, bits, children]) => {
    const builder = beginCell().storeBuffer(Buffer.from(bytes)).storeUint(0, bits);
    for (const child of children) builder.storeRef(child);
    return builder.endCell();
  });
}
const cells = treesOf(3);

const text = (cell: Cell) => cell.toBoc().toString("base64");
const pack = (message: Parameters<typeof storeMessage>[0]) => text(beginCell().store(storeMessage(message)).endCell());

/** What a refusal may be: a request that cannot be read, a bag that is none, a message that no account takes. */
const documented = [
  /^invalid request: /,
  /^Can't deserialize message boc: /,
  /^failed to emulate shard block: EmulationExternalNotAccepted: -?[0-9]+$/,
  /^failed to emulate shard block: an external message is rejected before any code runs: /,
];

describe("emulation of anything", () => {
  it("answers bags of every kind with a trace or with a documented refusal", async () => {
    const accounts = [
      ...service.wallets.map(({ address }) => address),
      `0:${"a7".repeat(32)}`,
      `-1:${"55".repeat(32)}`,
    ];
    const to = fc.constantFrom(...accounts).map((each) => Address.parse(each));
    const good = fc.tuple(to, cells).map(([dest, body]) => pack(external({ to: dest, body })));
    const inner = fc
      .tuple(to, to, cells, fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 12n }))
      .map(([src, dest, body, bounce, value]) =>
        pack({ ...internal({ to: dest, body, bounce, value }), info: { ...internalInfo(src, dest, bounce, value) } }),
      );
    const bent = fc.tuple(fc.oneof(good, inner), fc.nat(), fc.nat(255)).map(([boc, at, byte]) => {
      const bytes = Buffer.from(boc, "base64");
      bytes[at % bytes.length] = byte;
      return bytes.toString("base64");
    });
    const cut = fc.tuple(good, fc.nat()).map(([boc, at]) => {
      const bytes = Buffer.from(boc, "base64");
      return bytes.subarray(0, at % bytes.length).toString("base64");
    });
    const noise = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString("base64"));
    const bags = fc.oneof(good, inner, bent, bent, cut, noise, cells.map(text), fc.base64String());
    const seen = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(bags, fc.boolean(), async (boc, isIgnoring) => {
        const { status, answer } = await emulate("emulateTrace", {
          boc,
          ignore_chksig: isIgnoring,
          with_actions: true,
        });
        seen.set(status, (seen.get(status) ?? 0) + 1);
        if (status === 200) {
          expect(Object.keys(Object(answer.transactions)).length).toBeLessThanOrEqual(256);
          return;
        }
        expect([400, 500]).toContain(status);
        expect(
          documented.some((each) => each.test(String(answer.error))),
          String(answer.error),
        ).toBe(true);
      }),
      { numRuns },
    );
    // A test in which nothing ran would show nothing.
    expect(Math.min(seen.get(200) ?? 0, seen.get(500) ?? 0)).toBeGreaterThan(numRuns / 50);
  }, 600_000);
});

function internalInfo(src: Address, dest: Address, bounce: boolean, coins: bigint) {
  const fees = { ihrFee: 0n, forwardFee: 0n, createdLt: 0n, createdAt: 0 };
  return { type: "internal" as const, ihrDisabled: true, bounce, bounced: false, src, dest, value: { coins }, ...fees };
}

const flags = { with_actions: true, include_address_book: true, include_metadata: true, value_flow: true };

describe("the answers of emulation", () => {
  it("are what wallets map to their own types", async () => {
    const { address } = service.wallet("v4r2");
    const messages = [{ address: `0:${"a8".repeat(32)}`, amount: "1000000" }];
    const { answer } = await emulate("emulateTonConnect", { from: address, messages, ...flags });
    // The receiver has no code, and raw addresses ask for coins to come back.
    expect(mapEmulation(answer).map(({ account }) => account)).toEqual([
      raw(address),
      `0:${"A8".repeat(32)}`,
      raw(address),
    ]);
    expect(mapRoot(answer)).toEqual({ isAborted: false, exitCode: 0, resultCode: 0, fees: expect.any(BigInt) });
  });

  it("list the items that change hands", async () => {
    const known = new Map(service.wallets.map(({ address }) => [raw(address), address]));
    const items = await list("nft/items?limit=100", "nft_items");
    const item = items.find(({ owner_address: owner }) => known.has(String(owner)));
    if (item === undefined) throw new Error("no wallet of ours has an item of the demo set");
    const [owner, receiver] = [String(item.owner_address), `0:${"A9".repeat(32)}`];
    const body = beginCell()
      .storeUint(0x5fcc3d14, 32)
      .storeUint(0, 64)
      .storeAddress(Address.parse(receiver))
      .storeAddress(Address.parse(owner))
      .storeBit(0)
      .storeCoins(0)
      .storeBit(0);
    const message = { address: String(item.address), amount: "100000000", payload: text(body.endCell()) };
    const { status, answer } = await emulate("emulateTonConnect", { from: owner, messages: [message], ...flags });
    expect(status, JSON.stringify(answer)).toBe(200);
    mapEmulation(answer);
    const flows = answer.value_flow as Readonly<Record<string, Json>>;
    expect(flows[owner]).toMatchObject({ nfts_sent: [item.address], nfts_received: [] });
    expect(flows[receiver]).toMatchObject({ nfts_sent: [], nfts_received: [item.address] });
    expect(answer.actions).toMatchObject([{ type: "nft_transfer", details: { nft_item: item.address } }]);
    // Somebody else's order to the same item moves nothing.
    const [, stranger = ""] = [...known.keys()].filter((each) => each !== owner);
    const refused = await emulate("emulateTonConnect", { from: stranger, messages: [message], ...flags });
    const moved = Object.values(Object(refused.answer.value_flow)) as readonly Json[];
    expect(moved.map(({ nfts_sent: sent, nfts_received: received }) => [sent, received])).toEqual(
      moved.map(() => [[], []]),
    );
  });
});
