import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExplorerStage, openExplorerStage } from "../kit/web/ExplorerStage.ts";
import { Visitor } from "../kit/web/Visitor.ts";
import "../kit/suite/longRun.ts";

let stage: ExplorerStage;

beforeAll(async () => {
  stage = await openExplorerStage();
  quiet = `${await stage.acts.demo("NFT collection")}`;
});

afterAll(() => stage?.close());

/** Opens a page, checks one of its panels and gives the answer. */
async function check(visitor: Visitor, path: string, panel: string): Promise<string> {
  await visitor.open(path);
  const section = visitor.page.locator("section.panel", { has: visitor.page.getByRole("heading", { name: panel }) });
  await section.getByRole("button", { name: "Check it here" }).click();
  return (await section.locator(".success, .failure").first().innerText())
    .replaceAll(/\d+(?:[,\s]\d+)*/g, "N")
    .replace("validators", "validator");
}

const proved = (what: string) =>
  `Proved in this browser: ${what}. Against masterchain block N, signed by N validator with N % of the weight: N bytes, N ms. Trusted: the zero state that this server names, and the code of this page, which came from this server.`;

/** An account of the demo set that nobody uses meanwhile. */
let quiet: string;
const account = () => `/address/${quiet}`;

const balance = "the balance, the state";

describe("a panel of the explorer that is checked in the browser", () => {
  it.each([
    ["an account", account, "Overview", balance],
    ["a transaction", () => `/tx/${stage.trace}`, "What happened", "the hash, the time"],
    [
      "a masterchain block",
      () => "/block/-1/8000000000000000/11",
      "Header",
      "the root hash, the file hash, the time, the logical time",
    ],
    ["the configuration", () => "/config/5", "Parameters", "the configuration"],
  ])("is proved: %s, also on a phone and for all readers", async (_what, path, panel, values) => {
    const visitor = await Visitor.open(stage.browser, stage.service.origin, { viewport: { width: 360, height: 740 } });
    expect(await check(visitor, path(), panel)).toBe(proved(values));
    expect(await visitor.excessWidth()).toBe(0);
    expect(await visitor.findBarriers()).toEqual([]);
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it("loads the code of the checks only when it is asked for", async () => {
    const visitor = await Visitor.open(stage.browser, stage.service.origin);
    const loaded: string[] = [];
    visitor.page.on("request", (request) => {
      const [, name] = /\/assets\/check-(\w+)-/.exec(request.url()) ?? [];
      if (name !== undefined) loaded.push(name);
    });
    await visitor.open(account());
    expect(loaded).toEqual([]);
    expect(await check(visitor, account(), "Overview")).toBe(proved(balance));
    expect(loaded.filter((name) => ["reads", "machine", "methods", "emulation", "operations"].includes(name))).toEqual(
      [],
    );
    expect(loaded).toContain("checks");
    await visitor.close();
  });

  it("is refused if the page was told something else than the chain has", async () => {
    const visitor = await Visitor.open(stage.browser, stage.service.origin);
    await visitor.page.route(/\/api\/v3\/accountStates/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(/"balance": ?"\d+"/g, '"balance":"5"');
      await route.fulfill({ response, body });
    });
    expect(await check(visitor, account(), "Overview")).toBe(
      "This page shows something else than what is proved at block N: the balance is N, not N. If it has just changed, the page shows it soon: check again.",
    );
    await visitor.close();
  });

  it.each([
    ["the result", /"result": ?\{/, '"result":{"more":1,', "the server sent a result that its own proof contradicts"],
    ["the proof", /"network": ?"/, '"network":"x', "the server is of the network"],
  ])("is refused if the server lies about %s", async (_what, from, to, reason) => {
    const visitor = await Visitor.open(stage.browser, stage.service.origin);
    await visitor.page.route(/\/api\/v2\/jsonRPC/, async (route) => {
      const response = await route.fetch();
      const body = await response.text();
      await route.fulfill({ response, body: body.includes('"proof"') ? body.replace(from, to) : body });
    });
    const text = await check(visitor, account(), "Overview");
    expect(text).toContain("Not proved: getAddressInformation: ");
    expect(text).toContain(reason);
    await visitor.close();
  });
});
