import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { samplesOf } from "../../../src/api/declare/argument.ts";
import { makeOpenApi } from "../../../src/api/declare/openapi.ts";
import { v3Api } from "../../../src/api/v3/envelope.ts";
import { fillDocument } from "../../../web/apiPage/fill.ts";
import { gatherSamples } from "../../../web/apiPage/samples.ts";
import { askUsers } from "../../../web/pages/home/userTransactions.ts";
import { type DemoStage, type Json, openDemoStage } from "../../kit/api/demoStage.ts";
import { ageIndex } from "../../kit/api/v3/ageIndex.ts";
import { filteredLists } from "../../kit/api/v3/v3FilteredLists.ts";
import { type Args, sampleOf, walkWhole } from "../../kit/api/v3/v3Filters.ts";
import { engines } from "../../kit/history/database.ts";
import { repeats, someOf } from "../../kit/suite/everything.ts";

/** Rounds in which nobody does anything. Each has three transactions; a search reads 10,000, and goes on at its end. */
const idleRounds = repeats({ usual: 4_000, all: 20_000 });

/** The lists with rows of every round. */
const growing = new Set(["blocks", "transactions", "messages", "traces", "actions"]);

/** Arguments that choose how a list looks, not what is in it. */
const looks = new Set([
  "limit",
  "offset",
  "cursor",
  "sort",
  "include_accounts",
  "include_transactions",
  "include_actions",
]);

/** Arguments that most lists take only together with another one. */
const narrowing = new Set(["direction", "initiated_by_account"]);

describe.each(someOf(engines, (each) => each === "postgres"))(
  "v3 of a network that was idle for thousands of rounds, on %s",
  (engine) => {
    let stage: DemoStage;
    let young: ReadonlyMap<string, readonly Args[]>;

    const get = (path: string, args: Args) =>
      fetch(`${stage.server.origin}/api/v3/${path}?${new URLSearchParams(args)}`);
    const ask = async (path: string, args: Args) => (await (await get(path, args)).json()) as Json;

    beforeAll(async () => {
      stage = await openDemoStage({ engine });
      await stage.chain.rounds(1);
      await stage.index();
      const singles = filteredLists.map(async (list) => [list.path, await singlesOf(list)] as const);
      young = new Map(await Promise.all(singles));
      await ageIndex(stage.database, idleRounds);
    }, 600_000);

    afterAll(() => stage?.close());

    /**
     * The filters with one argument, or with one and what narrows it, each with the value of an item; engines have the
     * values of different items, where there are several.
     */
    async function singlesOf(list: (typeof filteredLists)[number]): Promise<readonly Args[]> {
      const items = sampleOf(await walkWhole(ask, list), 12);
      const filters = (await Promise.all(items.map((item) => list.filters(item, ask)))).flat();
      const values = new Map<string, Args[]>();
      for (const { args } of filters) {
        if (Object.keys(args).filter((name) => !narrowing.has(name)).length > 1) continue;
        const names = Object.keys(args).join();
        values.set(names, [...(values.get(names) ?? []), args]);
      }
      const place = engines.indexOf(engine);
      return [...values.values()].flatMap((each) => each.filter((_, at) => at === place % each.length));
    }

    it.each(filteredLists.map(({ path }) => path))("answers every single filter of %s", async (path) => {
      const absent = [{ workchain: "5" }, { shard: "4000000000000000" }, { supported_action_types: "v1" }];
      const known = new Set(Object.keys(v3Api.endpoints.find(({ name }) => name === path)?.args ?? {}));
      const singles = [...(young.get(path) ?? []), ...absent.filter((each) => known.has(Object.keys(each)[0] ?? ""))];
      const bad: unknown[] = [];
      for (const single of singles) {
        for (const limit of ["1", "1000"]) {
          const response = await get(path, { ...single, limit });
          if (response.status !== 200) bad.push([single, limit, response.status, await response.text()]);
        }
      }
      expect(bad).toEqual([]);
      const tried = new Set(singles.flatMap((each) => Object.keys(each)));
      const untried = [...known].filter((name) => !tried.has(name) && !looks.has(name) && !name.startsWith("x_"));
      expect(growing.has(path) ? untried : []).toEqual([]);
    });

    it("answers the prefilled requests of the API page", async () => {
      const last = { workchain: -1, shard: "8000000000000000", seqno: stage.chain.net.ledger.headId.seqno };
      const find = async (path: string): Promise<unknown> => {
        if (!path.startsWith("/api/v3/")) return { result: { last } };
        const response = await fetch(`${stage.server.origin}${path}`);
        return response.ok ? response.json() : undefined;
      };
      const samples = samplesOf(v3Api.endpoints);
      const found = await gatherSamples("/api/v3", samples, find, async () => undefined);
      const { paths } = fillDocument(JSON.parse(JSON.stringify(makeOpenApi(v3Api))), samples, found);
      const bad: unknown[] = [];
      for (const [path, { get: operation }] of Object.entries(Object(paths) as Record<string, Record<string, Json>>)) {
        const parameters = (operation?.parameters ?? []) as readonly Json[];
        const query = parameters.flatMap(({ name, example }): [string, string][] =>
          example === undefined ? [] : [example].flat().map((each) => [String(name), String(each)]),
        );
        if (operation === undefined) continue;
        const response = await fetch(`${stage.server.origin}/api/v3${path}?${new URLSearchParams(query)}`);
        // Nothing is pending on an idle network.
        const expected = path === "/pendingTransactions" ? 404 : 200;
        if (response.status !== expected) bad.push([path, query, response.status, await response.text()]);
      }
      expect(bad).toEqual([]);
    });

    it("answers what the explorer asks, and shows what users did", async () => {
      const { actions } = (await ask("actions", { include_system: "false", limit: "200" })) as {
        actions: readonly Json[];
      };
      expect(actions.length).toBeGreaterThan(20);
      expect(actions.filter((each) => each.trace_external_hash === undefined)).toEqual([]);
      expect(actions.filter(({ details }) => Object(details).source === `-1:${"0".repeat(64)}`)).toEqual([]);
      const home = await fetch(`${stage.server.origin}${askUsers().path}`);
      const { transactions: ofUsers } = (await home.json()) as { transactions: readonly Json[] };
      expect(ofUsers.length).toBeGreaterThan(20);
      expect(ofUsers.filter(({ account }) => /^-1:(3{64}|5{64})$/.test(String(account)))).toEqual([]);
      const recent = await ask("transactions", { workchain: "0", limit: "100" });
      expect(recent.transactions).toHaveLength(100);
    });
  },
);
