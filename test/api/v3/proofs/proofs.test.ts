import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Gatekeeper } from "../../../../src/api/access/Gatekeeper.ts";
import type { ApiKey } from "../../../../src/api/access/keys.ts";
import { MemoryLimits } from "../../../../src/api/access/limits.ts";
import { v3Endpoints } from "../../../../src/api/v3/list.ts";
import { fromBase64, toBase64 } from "../../../../src/lib/bytes.ts";
import type { JsonValue } from "../../../../src/lib/json.ts";
import { seededRandom } from "../../../../src/lib/random.ts";
import { formatRawAddress } from "../../../../src/model/Address.ts";
import { type Json, openProvedStage, type ProvedStage } from "../../../kit/api/v3/provedStage.ts";
import { repeats } from "../../../kit/suite/everything.ts";
import { ManualClock } from "../../../kit/suite/ManualClock.ts";

let stage: ProvedStage;
/** Accounts in raw form. */
let [sender, receiver] = ["", ""];

beforeAll(async () => {
  stage = await openProvedStage(async (chain) => {
    await chain.rounds(2);
    for (const amount of [1n, 2n, 3n]) {
      await chain.send(chain.wallet(0), { to: chain.wallet(1).address, amount: amount * 1_000_000_000n });
      await chain.rounds(2);
    }
    const [to, amount] = [chain.wallet(2).address, 5_000_000n];
    await chain.send(chain.wallet(1), { to, amount }, { to: chain.wallet(0).address, amount });
    await chain.rounds(3);
  });
  [sender, receiver] = [0, 1].map((index) => formatRawAddress(stage.chain.wallet(index).address)) as [string, string];
});

afterAll(() => stage?.close());

const rowsOf = (result: JsonValue | undefined, name = "transactions") =>
  (Object(result) as Json)[name] as readonly Json[];

/** An answer with its proof, whose result is the same as without. */
async function prove(path: string): Promise<{ readonly result: Json; readonly proof: Json }> {
  const { status, body } = await stage.ask(`${path}&proof=1&proof_since=0`);
  expect([path, status, body.error]).toEqual([path, 200, undefined]);
  const [result, proof] = [body.result as Json, body.proof as Json];
  expect(result).toEqual((await stage.ask(path)).body);
  return { result, proof };
}

/** The paths of values in JSON. */
function* pathsIn(
  json: JsonValue | undefined,
  path: readonly (string | number)[] = [],
): Iterable<readonly (string | number)[]> {
  if (typeof json !== "object" || json === null) yield path;
  else for (const [name, value] of Object.entries(json)) yield* pathsIn(value as JsonValue, [...path, name]);
}

/** JSON with another value at a path. */
function changeAt(json: unknown, [name, ...rest]: readonly (string | number)[]): JsonValue {
  if (name === undefined) return typeof json === "boolean" ? !json : typeof json === "number" ? json + 1 : `${json}1`;
  const entries = Object.entries(Object(json)).map(([each, value]) => [
    each,
    each === String(name) ? changeAt(value, rest) : value,
  ]);
  const copy: Json = Object.fromEntries(entries);
  return Array.isArray(json) ? Object.values(copy) : copy;
}

describe("transactions of the index with proofs", () => {
  it("of one account are proved to be complete between the first and the last", async () => {
    for (const sort of ["asc", "desc"]) {
      const path = `transactions?account=${sender}&limit=20&sort=${sort}`;
      const answer = await prove(path);
      expect([answer.proof.complete, rowsOf(answer.result).length]).toEqual([true, 4]);
      const own = rowsOf(await stage.check(path, answer));
      const expected = rowsOf(answer.result).map((row) => {
        const { trace_id: _id, trace_external_hash: _hash, mc_block_seqno: _seqno, ...rest } = row;
        return rest;
      });
      expect(expected).toMatchObject(own.map((row) => ({ ...row })));
      expect(own.map(({ hash, out_msgs: out }) => [hash, rowsOf({ out: out ?? [] }, "out").length])).toEqual(
        rowsOf(answer.result).map(({ hash, out_msgs: out }) => [hash, rowsOf({ out: out ?? [] }, "out").length]),
      );
    }
  });

  it("are refused where one is left out, is of another account, or was not asked for", async () => {
    const path = `transactions?account=${sender}&limit=20`;
    const { result, proof } = await prove(path);
    const [first, , ...others] = rowsOf(result);
    const fewer = { ...result, transactions: [first ?? {}, ...others] };
    await expect(stage.check(path, { result: fewer, proof })).rejects.toMatchObject({
      code: "verify/incomplete",
      message: expect.stringMatching(
        /^transactions: the list is not what was asked for; the server is faulty, or lies \(the list leaves out the transaction before /,
      ),
    });
    const other = `transactions?account=${receiver}&limit=20`;
    await expect(stage.check(other, { result, proof })).rejects.toMatchObject({ code: "verify/incomplete" });
    const none = { ...result, transactions: [] };
    await expect(stage.check(path, { result: none, proof })).rejects.toMatchObject({ code: "verify/answer" });
    const asked = `transactions?account=${sender}&limit=20&end_lt=${rowsOf(result).at(-1)?.lt}`;
    await expect(stage.check(asked, { result, proof })).rejects.toMatchObject({
      code: "verify/incomplete",
      message: expect.stringMatching(
        /^transactions: the list is not what was asked for; the server is faulty, or lies \(transaction .* is not what was asked for\)$/,
      ),
    });
  });

  it("are refused with any other value of a proved field", async () => {
    const path = `transactions?account=${sender}&limit=3`;
    const { result, proof } = await prove(path);
    const proved = await stage.check(path, { result, proof });
    const paths = [...pathsIn(proved)];
    expect(paths.length).toBeGreaterThan(150);
    for (const each of paths) {
      const changed = stage.check(path, { result: changeAt(result, each), proof });
      await expect(changed, each.join(".")).rejects.toMatchObject({ code: expect.stringMatching(/^verify\//) });
    }
  }, 60_000);

  it("are proved by hash, by block and by message", async () => {
    const all = rowsOf((await stage.ask("transactions?limit=100&sort=desc")).body);
    const ordinary = all.filter(({ description }) => Object(description).type === "ord");
    const [one, two] = [ordinary[0], ordinary[3]];
    const { workchain, shard, seqno } = Object(ordinary[0]?.block_ref);
    const message = Object(ordinary.find(({ in_msg: received }) => Object(received).source !== null)?.in_msg).hash;
    const paths = [
      `transactions?hash=${encodeURIComponent(String(one?.hash))}&hash=${encodeURIComponent(String(two?.hash))}`,
      `transactions?workchain=${workchain}&shard=${shard}&seqno=${seqno}&limit=50`,
      `transactions?msg_hash=${encodeURIComponent(message)}`,
      `transactionsByMessage?msg_hash=${encodeURIComponent(message)}&direction=in`,
      `transactions?account=${sender}&account=${receiver}&limit=50`,
    ];
    for (const path of paths) {
      const answer = await prove(path);
      expect(answer.proof.complete).toBe(undefined);
      const own = rowsOf(await stage.check(path, answer));
      expect(own.map(({ hash }) => hash)).toEqual(rowsOf(answer.result).map(({ hash }) => hash));
    }
  });

  it("of one block share their proof, also where other transactions are between them", async () => {
    const all = rowsOf((await stage.ask("transactions?limit=100&workchain=-1&sort=desc")).body);
    const { workchain, shard, seqno } = Object(all[0]?.block_ref);
    const rows = rowsOf((await stage.ask(`transactions?workchain=${workchain}&shard=${shard}&seqno=${seqno}`)).body);
    expect(rows.length).toBeGreaterThan(2);
    const byHash = (chosen: readonly Json[]) =>
      `transactions?${chosen.map(({ hash }) => `hash=${encodeURIComponent(String(hash))}`).join("&")}`;
    const scattered = rows.filter((_, index) => index % 2 === 0);
    const sizes = [];
    for (const path of [byHash(rows.slice(0, 1)), byHash(scattered), byHash(rows)]) {
      const answer = await prove(path);
      expect(await stage.check(path, answer)).toMatchObject({
        transactions: rowsOf(answer.result).map(({ hash }) => ({ hash })),
      });
      sizes.push((answer.proof.answers as readonly JsonValue[]).length);
    }
    // One answer in the place of one for each row: the pruned block.
    expect(sizes).toEqual([sizes[0], sizes[0], sizes[0]]);
  });

  it("are refused where no proof can be given, with the way to one", async () => {
    const texts = [];
    for (const path of [
      "transactions?mc_seqno=3",
      `transactions?account=${sender}&start_lt=9999999999`,
      "balanceChanges?limit=1",
    ]) {
      const { status, body } = await stage.ask(`${path}&proof=1`);
      expect([path, status]).toEqual([path, 422]);
      texts.push(body.error);
    }
    expect(texts).toEqual([
      "this answer has no proof: no transaction says which masterchain block commits it; name its workchain, shard and seqno",
      "this answer has no proof: there is nothing to prove in an empty list",
      "balanceChanges has no proof: the index derives it; traces with tx_hash proves the transactions behind it",
    ]);
  });
});

describe("traces and blocks of the index with proofs", () => {
  it("prove that a trace is whole", async () => {
    for (const [path, list] of [
      [`traces?account=${receiver}&limit=5`, "traces"],
      [`events?account=${sender}&limit=2`, "events"],
    ] as const) {
      const { result, proof } = await prove(path);
      const own = rowsOf(await stage.check(path, { result, proof }), list);
      const hashes = (rows: readonly Json[]) =>
        rows.map(({ trace_id: id, transactions }) => [id, Object.keys(Object(transactions)).sort()]);
      expect(hashes(own)).toEqual(hashes(rowsOf(result, list)));
      expect(own.length).toBeGreaterThan(1);
    }
  });

  it("prove traces that the chain itself begins, with fees that it collects", async () => {
    const elector = `-1:${"3".repeat(64)}`;
    const path = `traces?account=${elector}&limit=10`;
    const answer = await prove(path);
    const own = rowsOf(await stage.check(path, answer), "traces");
    const sources = own.flatMap(({ transactions }) =>
      Object.values(Object(transactions)).map((each) => Object(Object(each).in_msg).source),
    );
    expect(sources).toContain(`-1:${"0".repeat(64)}`);
  });

  it("refuse a trace without one of its transactions, of another account, or with another value", async () => {
    const path = `traces?account=${receiver}&limit=1`;
    const { result, proof } = await prove(path);
    const [trace = {}] = rowsOf(result, "traces");
    const transactions = Object.entries(Object(trace.transactions)) as [string, JsonValue][];
    expect(transactions.length).toBeGreaterThan(1);
    for (const [left] of transactions) {
      const kept = transactions.filter(([hash]) => hash !== left);
      const hashes = kept.map(([hash]) => `hash=${encodeURIComponent(hash)}`).join("&");
      // A server that lies sends the proof of what it shows.
      const { proof: fitting } = await prove(`transactions?${hashes}`);
      const cut = { ...result, traces: [{ ...trace, transactions: Object.fromEntries(kept) }] };
      const checked = stage.check(path, { result: cut, proof: { ...fitting, operation: "traces" } });
      await expect(checked).rejects.toMatchObject({ code: "verify/incomplete" });
    }
    const nobody = `traces?account=0:${"5".repeat(64)}&limit=1`;
    await expect(stage.check(nobody, { result, proof })).rejects.toMatchObject({ code: "verify/incomplete" });
    const proved = await stage.check(path, { result, proof });
    for (const each of pathsIn(proved)) {
      const changed = stage.check(path, { result: changeAt(result, each), proof });
      await expect(changed, each.join(".")).rejects.toMatchObject({ code: expect.stringMatching(/^verify\//) });
    }
  }, 60_000);

  it("prove what the headers of blocks say", async () => {
    const path = "blocks?workchain=0&limit=3";
    const { result, proof } = await prove(path);
    const own = await stage.check(path, { result, proof });
    const unproved = new Set(["rand_seed", "created_by", "tx_count", "masterchain_block_ref"]);
    const kept = rowsOf(result, "blocks").map((row) =>
      Object.fromEntries(Object.entries(row).filter(([field]) => !unproved.has(field))),
    );
    expect(own).toEqual({ blocks: kept });
    for (const each of pathsIn(own)) {
      const changed = stage.check(path, { result: changeAt(result, each), proof });
      await expect(changed, each.join(".")).rejects.toMatchObject({ code: expect.stringMatching(/^verify\//) });
    }
    const other = "blocks?workchain=-1&limit=3";
    await expect(stage.check(other, { result, proof })).rejects.toMatchObject({ code: "verify/incomplete" });
  });
});

describe("answers of the index whose proof has another byte", () => {
  it.each([
    ["transactions", () => `transactions?account=${sender}&limit=4`],
    ["transactions of one block", () => "transactions?workchain=-1&limit=6"],
    ["messages", () => `messages?source=${sender}&limit=3`],
    ["actions", () => `actions?account=${sender}&limit=2`],
    ["traces", () => `traces?account=${receiver}&limit=1`],
    ["blocks", () => "blocks?workchain=0&limit=2"],
    ["accountStates", () => `accountStates?address=${sender}`],
  ])(
    "are the same or refused: %s",
    async (name, pathOf) => {
      const path = pathOf();
      const { result, proof } = await prove(path);
      const proved = await stage.check(path, { result, proof });
      const random = seededRandom(`proofs of rows: ${name}`);
      const answers = (proof.answers as readonly (readonly string[])[]).map((pair) =>
        pair.map((text) => fromBase64(text)),
      );
      const outcomes = { same: 0, refused: 0 };
      for (let i = 0; i < repeats({ usual: 40, all: 250 }); i++) {
        const chosen = random.int(answers.length);
        const changed = answers.map((pair, index) =>
          pair.map((bytes, side) => {
            if (index !== chosen || side !== 1) return toBase64(bytes);
            const at = random.int(bytes.length);
            return toBase64(bytes.with(at, (bytes[at] ?? 0) ^ (1 << random.int(8))));
          }),
        );
        const own = await stage
          .check(path, { result, proof: { ...proof, answers: changed } })
          .catch((error: unknown) => {
            expect(Object(error).code).toMatch(/^verify\//);
          });
        if (own !== undefined) expect(own).toEqual(proved);
        outcomes[own === undefined ? "refused" : "same"] += 1;
      }
      expect(outcomes.refused).toBeGreaterThan(outcomes.same);
    },
    120_000,
  );
});

describe("accounts of the index with proofs", () => {
  const nobody = `0:${"5".repeat(64)}`.toUpperCase();

  it("are proved at the newest block of the index, and that others do not exist", async () => {
    for (const name of ["accountStates", "walletStates"]) {
      const path = `${name}?address=${sender}&address=${receiver}&address=${nobody}`;
      const answer = await prove(path);
      expect(answer.proof.at).toBe(stage.chain.net.ledger.headId.seqno);
      const list = name === "accountStates" ? "accounts" : "wallets";
      const own = rowsOf(await stage.check(path, answer), list);
      const shown = rowsOf(answer.result, list);
      expect([own.length, own.map(({ address }) => address)]).toEqual([2, shown.map(({ address }) => address)]);
      const kept = shown.map((row) =>
        Object.fromEntries(Object.entries(row).filter(([field]) => !unprovedFields.has(field))),
      );
      expect(own).toEqual(kept);
    }
  });

  it("are refused with any other value, without one of them, or long after", async () => {
    const path = `walletStates?address=${sender}&address=${receiver}`;
    const { result, proof } = await prove(path);
    const proved = await stage.check(path, { result, proof });
    for (const each of pathsIn(proved)) {
      const changed = stage.check(path, { result: changeAt(result, each), proof });
      await expect(changed, each.join(".")).rejects.toMatchObject({ code: expect.stringMatching(/^verify\//) });
    }
    const fewer = { ...result, wallets: rowsOf(result, "wallets").slice(1) };
    await expect(stage.check(path, { result: fewer, proof })).rejects.toMatchObject({ code: "verify/incomplete" });
    const less = `walletStates?address=${sender}`;
    await expect(stage.check(less, { result, proof })).rejects.toMatchObject({ code: "verify/incomplete" });
    const late = stage.check(path, { result, proof }, { laterMs: 100_000 });
    await expect(late).rejects.toMatchObject({ code: "verify/old-head" });
  });

  it("have no data where the index keeps none, and then are proved by its hash", async () => {
    const path = `accountStates?address=${sender}`;
    const { result, proof } = await prove(path);
    const [row] = rowsOf(result, "accounts");
    const { data_boc: _data, ...rest } = Object(row);
    const [own] = rowsOf(await stage.check(path, { result: { ...result, accounts: [rest] }, proof }), "accounts");
    expect(Object.keys(Object(row))).toContain("data_boc");
    expect(own).toEqual(Object.fromEntries(Object.entries(rest).filter(([field]) => !unprovedFields.has(field))));
    const { data_hash: _hash, ...less } = rest;
    const refused = stage.check(path, { result: { ...result, accounts: [less] }, proof });
    await expect(refused).rejects.toMatchObject({ code: "verify/changed" });
  });

  it("are refused if they are too many for one proof", async () => {
    const many = Array.from({ length: 101 }, (_, i) => `address=0:${i.toString(16).padStart(64, "0")}`).join("&");
    const { status, body } = await stage.ask(`accountStates?${many}&proof=1`);
    expect([status, body.error]).toEqual([
      422,
      "this answer has no proof: a proof covers at most 100 accounts, not 101; ask for fewer at once",
    ]);
  });
});

const unprovedFields = new Set(["contract_methods", "interfaces", "suspended"]);

it("says for every operation what proves it, or which one proves the same", async () => {
  const provable = v3Endpoints.filter(({ proof }) => proof.by !== "nothing").map(({ name, proof }) => [name, proof.by]);
  expect(provable).toEqual([
    ["accountStates", "shown"],
    ["walletStates", "shown"],
    ["actions", "shown"],
    ["events", "shown"],
    ["traces", "shown"],
    ["blocks", "shown"],
    ["messages", "shown"],
    ["transactions", "shown"],
    ["transactionsByMessage", "shown"],
    ["jetton/masters", "shown"],
    ["jetton/wallets", "shown"],
    ["nft/collections", "shown"],
    ["nft/items", "shown"],
    ["dns/records", "shown"],
    ["multisig/orders", "shown"],
    ["multisig/wallets", "shown"],
    ["vesting", "shown"],
    ["decode", "arguments"],
    ["estimateFee", "chain"],
    ["runGetMethod", "chain"],
  ]);
  const names = new Set(v3Endpoints.map(({ name }) => name));
  for (const { name, proof } of v3Endpoints) {
    if (proof.by !== "nothing") continue;
    const isHelpful = / proves? |not on the chain|watch for/.test(proof.reason);
    expect([name, names.has(name), isHelpful]).toEqual([name, true, true]);
  }
});

it("proves a get-method that v3 runs", async () => {
  const body = { address: sender, method: "seqno", stack: [] };
  const init = { method: "POST", body: JSON.stringify({ ...body, proof: 1, proof_since: 0 }) };
  const { status, body: answer } = await stage.ask("runGetMethod", init);
  expect([status, Object(answer.result).exit_code]).toEqual([200, 0]);
  const path = `runGetMethod?address=${sender}&method=seqno`;
  expect(await stage.check(path, { result: answer.result, proof: answer.proof })).toEqual(answer.result);
});

describe("a request of v3 for a proof, with a key", () => {
  it("counts as ten of its plan, is answered within every rate, and the next one waits", async () => {
    const key: ApiKey = {
      ...{ id: "one", hash: "", name: "one", owner: "one", plan: "free", networks: ["local"] },
      ...{ createdAt: 0, lastUsedAt: undefined, revokedAt: undefined },
    };
    const clock = new ManualClock();
    const access = new Gatekeeper(
      {
        network: "local",
        plans: new Map([["free", { perSecond: 1, burst: 15 }]]),
        keyless: { perSecond: 1, burst: 1 },
      },
      {
        keys: { find: (secret) => (secret === "one" ? key : undefined) },
        limits: new MemoryLimits({ maxNames: 10 }, clock),
      },
    );
    const limited = await stage.serve({ access });
    const ask = async (query: string) => {
      const response = await fetch(`${limited.origin}/api/v3/transactions?account=${sender}&limit=1${query}`);
      const { proof } = Object(await response.json());
      return [response.status, proof?.complete, response.headers.get("retry-after")];
    };
    const [proved, refused] = [[200, true, null], (after: string) => [429, undefined, after]];
    // The second one is begun with five of fifteen requests left, and owes five.
    const outcomes = [];
    for (const query of ["&proof=1", "&proof=1", "&proof=1", ""]) outcomes.push(await ask(`${query}&api_key=one`));
    expect(outcomes).toEqual([...[proved, proved], ...[refused("6"), refused("6")]]);
    await clock.advance(6_000);
    expect(await ask("&api_key=one")).toEqual([200, undefined, null]);
    // Callers without a key have the smallest rate, with room for one proof.
    expect([await ask("&proof=1"), await ask("")]).toEqual([proved, refused("10")]);
    await limited.close();
  });
});
