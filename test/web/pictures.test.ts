import { describe, expect, it } from "vitest";
import type { Block } from "../../web/api/types.ts";
import { makeQr } from "../../web/contract/qr.ts";
import { shareOf } from "../../web/format/share.ts";
import { drawBalances, listBalances } from "../../web/pages/account/balances.ts";
import { kindsOf, listSteps, lockedAt } from "../../web/pages/account/facts.ts";
import { sumRewards } from "../../web/pages/account/rewards.ts";
import { countActivity } from "../../web/pages/home/activity.ts";
import { listRounds } from "../../web/pages/home/rounds.ts";
import { addTransactions, askUsers } from "../../web/pages/home/userTransactions.ts";
import { readReceiver } from "../../web/pages/local/readReceiver.ts";
import { searchSections } from "../../web/searchSections.ts";
import { readQr } from "../kit/web/readQr.ts";

describe("the activity of users", () => {
  const hour = 3_600;
  const now = 1_800_000_000;

  it("is counted by minute, hour or day, whichever shows the oldest, and leaves out what is older", () => {
    const counted = (times: readonly number[]) => {
      const { unit, buckets } = countActivity(times, now);
      return [unit, buckets.length, buckets.filter(({ count }) => count > 0).map(({ at, count }) => [now - at, count])];
    };
    expect(counted([])).toEqual(["minute", 24, []]);
    expect(counted([now, now - 1, now - 61])).toEqual([
      "minute",
      24,
      [
        [120, 1],
        [60, 1],
        [0, 1],
      ],
    ]);
    expect(counted([now, now - 2 * hour, now - 2 * hour])).toEqual([
      "hour",
      24,
      [
        [2 * hour, 2],
        [0, 1],
      ],
    ]);
    expect(counted([now, now - 30 * hour]).slice(0, 2)).toEqual(["day", 24]);
    expect(counted([now, now - 100 * 24 * hour])).toEqual(["day", 24, [[now % (24 * hour), 1]]]);
  });

  it("is asked for without the accounts that run in every block", () => {
    const { searchParams } = new URL(askUsers().path, "http://localhost");
    expect(searchParams.getAll("exclude_account")).toEqual([`-1:${"3".repeat(64)}`, `-1:${"5".repeat(64)}`]);
    expect(searchParams.get("start_lt")).toBeNull();
    expect(new URL(askUsers(10_000_000n).path, "http://localhost").searchParams.get("start_lt")).toBe("6000000");
  });

  const block = (seqno: number, workchain: number, count: number): Block =>
    ({
      workchain,
      seqno,
      tx_count: count,
      gen_utime: String(seqno),
      masterchain_block_ref: { seqno },
    }) as unknown as Block;
  const user = (hash: string, lt: number, seqno: number) => ({
    hash,
    lt: BigInt(lt),
    at: lt,
    block: seqno,
    trace: hash,
  });

  it("does not count what the chain itself does with every block", () => {
    const blocks = [4, 3, 2, 1].flatMap((seqno) => [block(seqno, -1, 3), block(seqno, 0, seqno === 3 ? 2 : 0)]);
    const users = [user("b", 2, 3), user("a", 1, 3)];
    const counts = (list: readonly ReturnType<typeof user>[], isComplete: boolean) =>
      listRounds(blocks, list, isComplete).map(({ seqno, transactions }) => [seqno, transactions]);
    expect(counts(users, true)).toEqual([
      [2, 0],
      [3, 2],
      [4, 0],
    ]);
    // Masterchain transactions of users count, too.
    expect(counts([user("c", 3, 4), ...users], true)).toEqual([
      [2, 0],
      [3, 2],
      [4, 1],
    ]);
    // A list that does not reach back: everything outside of the masterchain.
    expect(counts([user("c", 3, 4)], false)).toEqual([
      [2, 0],
      [3, 2],
      [4, 0],
    ]);
  });

  it("adds new transactions once, newest first", () => {
    const answer = (hash: string, lt: string) => ({ hash, lt, now: 5, mc_block_seqno: 9, trace_id: null });
    const added = addTransactions([user("a", 1, 1)], [answer("b", "2"), answer("a", "1")] as never);
    expect(added.map(({ hash, block: seqno, trace }) => [hash, seqno, trace])).toEqual([
      ["b", 9, "b"],
      ["a", 9, "a"],
    ]);
  });
});

describe("the balance over time", () => {
  const state = (lt: string, now: number, before: string | null, after: string | null) => ({
    lt,
    now,
    account_state_before: { balance: before },
    account_state_after: { balance: after },
  });

  it("begins before the oldest transaction and leaves out states that the index does not have", () => {
    const list = [state("30", 30, null, "7"), state("10", 10, "1", "5"), state("20", 20, "5", null)];
    expect(listBalances(list)).toEqual([
      { at: 10, value: 1n },
      { at: 10, value: 5n },
      { at: 30, value: 7n },
    ]);
    expect(listBalances([])).toEqual([]);
  });

  it("is drawn as steps up to a time", () => {
    const balances = [
      { at: 0, value: 0n },
      { at: 50, value: 10n ** 30n },
    ];
    expect(drawBalances(balances, 100, 600, 90)).toBe("M0 86.0H300.0V4.0H600");
    expect(drawBalances([{ at: 0, value: 5n }], 0, 600, 90)).toBe("M0 45.0H600");
    expect(drawBalances([], 0, 600, 90)).toBe("");
  });
});

describe("facts of contracts", () => {
  it("are chosen by the interfaces, each once", () => {
    expect(kindsOf(["multisig_order_v2"])).toEqual(["order"]);
    expect(kindsOf(["multisig_v2"])).toEqual(["multisig"]);
    expect(kindsOf(["nft_auction_v1", "nft_sale"])).toEqual(["sale"]);
    expect(kindsOf(["dns", "editable", "nft_item"])).toEqual(["item"]);
    expect(kindsOf(["jetton_wallet", "jetton_wallet_v2"])).toEqual(["jetton_wallet"]);
    expect(kindsOf(["wallet_vesting"])).toEqual(["vesting"]);
    expect(kindsOf(["wallet_v5r1"])).toEqual([]);
  });

  const schedule = { start: 1_000, duration: 100, period: 10, cliff: 20, amount: 1_000n };

  it("unlock a part of a vesting with every whole period after the cliff", () => {
    const times = [0, 1_000, 1_019, 1_020, 1_029, 1_030, 1_099, 1_100, 9_999];
    expect(times.map((at) => lockedAt(schedule, at))).toEqual([1_000n, 1_000n, 1_000n, 800n, 800n, 700n, 100n, 0n, 0n]);
    expect(lockedAt({ ...schedule, period: 0 }, 1_050)).toBe(1_000n);
  });

  it("draw a vesting of any number of periods in at most 120 steps", () => {
    expect(listSteps(schedule)).toEqual(
      [1_000n, 1_000n, 800n, 700n, 600n, 500n, 400n, 300n, 200n, 100n, 0n].map((locked, at) => [
        1_000 + 10 * at,
        locked,
      ]),
    );
    expect(listSteps({ ...schedule, duration: 10 ** 9, period: 1 }).length).toBe(121);
    expect(listSteps({ ...schedule, period: 0 }).length).toBe(2);
  });

  it("are shares to hundredths of a percent, of amounts of any size", () => {
    expect([shareOf(1n, 3n), shareOf(10n ** 40n, 10n ** 40n), shareOf(1n, 0n)]).toEqual([33.33, 100, 0]);
  });
});

describe("the rewards of a nominator pool", () => {
  it("are sums by transaction, oldest first, without other events", () => {
    const event = (type: "reward" | "deposit", tx_hash: string, utime: number, amount: string) => ({
      type,
      tx_hash,
      utime,
      amount,
    });
    expect(
      sumRewards([
        event("reward", "b", 20, "-3"),
        event("reward", "b", 20, "1"),
        event("deposit", "c", 15, "900"),
        event("reward", "a", 10, "7"),
      ]),
    ).toEqual([
      { at: 10, sum: 7n },
      { at: 20, sum: -2n },
    ]);
  });
});

describe("a QR code", () => {
  it.each([
    "a",
    "ton://transfer/UQCpIG6_kN0y4-Lklx7nOueamTSYo018VITWMfXKWX8vkvhR",
    "ж".repeat(21),
    "x".repeat(84),
    "y".repeat(104),
    ...[120, 150, 180, 212, 250, 280, 330, 360, 410, 450, 500, 560, 620, 666].map((length) => "z".repeat(length)),
  ])("of %j is read as the same text, with intact error correction", (text) => {
    expect(readQr(makeQr(text) ?? [])).toBe(text);
  });

  it("does not exist of a text that is too long", () => {
    expect(makeQr("z".repeat(667))).toBeUndefined();
  });
});

describe("the receiver in a form", () => {
  const address = "UQCpIG6_kN0y4-Lklx7nOueamTSYo018VITWMfXKWX8vkvhR";
  const raw = "0:A9206EBF90DD32E3E2E4971EE73AE79A993498A34D7C5484D631F5CA597F2F92";
  const idle = { kind: "idle" } as const;
  const found = (wallet: string | null) => ({ kind: "ok", data: { records: [{ dns_wallet: wallet }] } }) as const;

  it("is an address, the wallet of a domain, or a reason why there is none", () => {
    expect(readReceiver(" ", idle)).toEqual({ kind: "empty" });
    expect(readReceiver(` ${address} `, idle)).toEqual({ kind: "address", address });
    expect(readReceiver("alice.ton", found(raw))).toEqual({
      kind: "address",
      address: "EQCpIG6_kN0y4-Lklx7nOueamTSYo018VITWMfXKWX8vkqWU",
      domain: "alice.ton",
    });
    const reasons = [
      readReceiver("UQCpI", idle),
      readReceiver("nobody.ton", { kind: "ok", data: { records: [] } }),
      readReceiver("site.ton", found(null)),
    ];
    expect(reasons).toEqual([
      { kind: "nobody", reason: "This is not an address and not a domain such as alice.ton." },
      { kind: "nobody", reason: "This network has no domain nobody.ton." },
      { kind: "nobody", reason: "The domain site.ton has no record of a wallet." },
    ]);
  });
});

describe("the search of the documentation", () => {
  const sections = [
    { href: "/docs/start#faucet", title: "The faucet", text: "Coins for tests." },
    { href: "/docs/errors#limits", title: "Limits", text: `${"word ".repeat(40)}the faucet has a limit too` },
  ];

  it("finds sections with all words, headings first, with the words around a match", () => {
    expect(searchSections(sections, "FAUCET").map(({ section }) => section.href)).toEqual([
      "/docs/start#faucet",
      "/docs/errors#limits",
    ]);
    const [match] = searchSections(sections, "limit faucet");
    expect(match?.section.href).toBe("/docs/errors#limits");
    expect(match?.excerpt).toMatch(/^….*faucet has a limit too$/);
    expect(searchSections(sections, " ")).toEqual([]);
    expect(searchSections(sections, "nothing")).toEqual([]);
  });
});
