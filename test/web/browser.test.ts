import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repeats, someOf } from "../kit/suite/everything.ts";
import { type ExplorerStage, openExplorerStage } from "../kit/web/ExplorerStage.ts";
import { makeHostile } from "../kit/web/hostile.ts";
import { until } from "../kit/web/localActs.ts";
import { Visitor } from "../kit/web/Visitor.ts";

/**
 * Each has three transactions: all of them are more than the 10,000 that a search of the index reads at once;
 * `agedNetwork.test.ts` has more rounds.
 */
const idleRounds = repeats({ usual: 20, all: 3_400 });
const minedAtOnce = repeats({ usual: 20, all: 100 });
/** Thousands of blocks are made and indexed. */
const idleTimeoutMs = 1_800_000;
const phone = { viewport: { width: 360, height: 740 } };

let stage: ExplorerStage;
let browser: ExplorerStage["browser"];
let service: ExplorerStage["service"];
let acts: ExplorerStage["acts"];
/** One page of every kind, for things of the demo set. */
let paths: readonly string[];

beforeAll(async () => {
  stage = await openExplorerStage();
  ({ browser, service, acts } = stage);
  const { trace } = stage;
  const wallet = acts.address.toString({ bounceable: false });
  const { result: contracts } = Object(await acts.ask("/localnet/demo"));
  const demo = (name: string): string =>
    contracts.find((each: { readonly name: string }) => each.name === name).address;
  const [master, collection, item] = [
    await acts.demo("jetton master"),
    await acts.demo("NFT collection"),
    await acts.demo("NFT item 1"),
  ];
  paths = [
    "/",
    `/tx/${trace}`,
    `/trace/${trace}`,
    "/block/-1/8000000000000000/11",
    "/config?against=2",
    `/jetton/${master}`,
    `/nft/${collection}`,
    `/nft/${item}`,
    ...["actions", "transactions", "tokens", "nfts", "methods", "write", "storage", "code"].map(
      (tab) => `/address/${wallet}?tab=${tab}`,
    ),
    ...["blocks", "jettons", "collections", "accounts", "validators"].map((list) => `/list/${list}`),
    ...["multisig", "multisig order, open", "vesting wallet", "NFT sale, open", "NFT item 0", "alice.ton"].map(
      (name) => `/address/${demo(name)}`,
    ),
    `/address/${await acts.demo("jetton wallet of wallet 1")}`,
    "/block/-1/8000000000000000/99999999",
    "/cell?boc=te6cckEBAQEADgAAGAAAAABoZWxsbyB0b27xVl9G",
    "/emulate",
    "/status",
    "/local",
    "/search?q=nothing",
    "/search?q=wallet",
    "/domain/alice.ton",
    "/no/such/page",
  ];
});

afterAll(() => stage?.close());

/** The first page of each kind: of those with the same beginning and the same tab or query. */
function oneOfEachKind(): readonly string[] {
  const kindOf = (path: string) => path.replace(/^(\/\w*)[^?]*/, "$1");
  return paths.filter((path, at) => paths.findIndex((other) => kindOf(other) === kindOf(path)) === at);
}

/** Makes blocks, which are indexed together, and waits until they are. */
async function mine(blocks: number): Promise<void> {
  const request = { method: "POST", body: JSON.stringify({ blocks }), headers: { "content-type": "application/json" } };
  const made = await fetch(`${service.origin}/acton_mine`, request);
  const { result } = Object(await made.json());
  expect(result.blocks_mined).toBe(blocks);
  await until(async () => Object(await acts.ask("/api/v3/masterchainInfo")).last.seqno >= result.last_block_seqno);
}

describe("the explorer of a local network", () => {
  it("leads to the failing transaction of a jetton transfer in two clicks, with its exit code in words", async () => {
    const visitor = await Visitor.open(browser, service.origin);
    await visitor.open("/");
    await acts.sendFailingTransfer();
    const line = visitor.page.locator(".actions li", { hasText: "does not arrive" });
    await line.getByRole("link", { name: "trace" }).click();
    await visitor.page.getByRole("link", { name: "Open the transaction" }).click();
    await visitor.waitUntilIdle();
    await visitor.page.getByText("Exit code 65535: the contract does not know this operation").first().waitFor();
    expect(visitor.page.url()).toMatch(/\/explorer\/tx\/[0-9a-f]{64}$/);
    expect(await visitor.text()).toContain("Failed");
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it("sends coins and shows the transaction", async () => {
    const visitor = await Visitor.open(browser, service.origin);
    await visitor.open("/local");
    const panel = visitor.page.getByRole("region", { name: "Faucet" });
    await panel.getByLabel("Address").fill(acts.address.toString({ bounceable: false }));
    await panel.getByLabel("Coins").fill("2.5");
    await panel.getByRole("button", { name: "Give" }).click();
    await panel.getByText("2.5 TON").waitFor();
    await panel.getByRole("link", { name: "See the transaction" }).click();
    await visitor.page.getByText("sent 2.5 TON to").first().waitFor();
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it("finds things by any of their names and by links of other explorers", async () => {
    const visitor = await Visitor.open(browser, service.origin);
    const wallet = acts.address.toString({ bounceable: false });
    const cases: readonly (readonly [text: string, url: RegExp])[] = [
      [wallet, /\/address\//],
      ["alice.ton", /\/address\//],
      ["11", /\/block\/-1\/8000000000000000\/11$/],
      [`https://tonviewer.com/${wallet}`, /\/explorer\/address\//],
      [paths[1]?.slice(4) ?? "", /\/tx\//],
      ["te6cckEBAQEADgAAGAAAAABoZWxsbyB0b27xVl9G", /\/cell\?/],
      ["EQBFao+02f4jSG2S//vvJktw++++BClOc5i94gcsUXabwAUF", /\/address\/EQBFao-02f4jSG2S__vvJktw----/],
      ["wallet 4", /\/address\//],
      ["demo", /\/jetton\//],
      ["tongate demo gates", /\/nft\//],
      ["two of us agree", /\/tx\//],
    ];
    await visitor.open("/");
    for (const [text, url] of cases) {
      await visitor.page.keyboard.press("/");
      await visitor.page.getByRole("searchbox").fill(text);
      await visitor.page.keyboard.press("Enter");
      await visitor.page.waitForURL(url);
      await visitor.waitUntilIdle();
      await visitor.page.locator("h1").click();
    }
    await visitor.open(`/${wallet}`);
    expect(visitor.page.url()).toContain(`/explorer/address/${wallet}`);
    await visitor.open(`/transaction/${paths[1]?.slice(4)}`);
    expect(visitor.page.url()).toContain("/explorer/tx/");
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it("runs get-methods with typed arguments and shows their results", async () => {
    const visitor = await Visitor.open(browser, service.origin);
    await visitor.open(`/address/${await acts.demo("jetton master")}?tab=methods`);
    const { page } = visitor;
    await page.getByRole("button", { name: "get_wallet_address" }).click();
    await page.getByLabel("owner address").fill(acts.address.toString());
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText("exit code 0: it finished normally").waitFor();
    // By name, and as a value of the stack.
    await expect.poll(() => page.getByText("jetton wallet of wallet 1").count()).toBe(2);
    // Another method by values of the stack.
    await page.getByLabel("Method, by name or number").fill("get_wallet");
    await page.getByRole("button", { name: "Add an argument" }).click();
    await page.getByLabel("Type of argument 1").selectOption("address");
    await page.getByLabel("Value of argument 1").fill(acts.address.toString());
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText("exit code 11", { exact: false }).waitFor();
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it("shows the request behind a panel, which gives the same answer", async () => {
    const visitor = await Visitor.open(browser, service.origin);
    await visitor.open(`/jetton/${await acts.demo("jetton master")}`);
    const panel = visitor.page.getByRole("region", { name: "Holders" });
    await panel.getByRole("button", { name: "Show the request" }).click();
    const command = await panel.locator(".request .line code").innerText();
    const url = /'(http[^']+)'/.exec(command)?.[1] ?? "";
    const { jetton_wallets: wallets } = Object(await (await fetch(url)).json());
    expect(await panel.locator("ol > li").count()).toBe(wallets.length);
    await visitor.close();
  });

  it("has no accessibility violation on any page, light and dark, wide and narrow", async () => {
    const barriers: string[] = [];
    // In the ordinary run half of the kinds are light and wide, and the others dark and narrow.
    const kinds = oneOfEachKind();
    for (const [turn, colorScheme] of (["light", "dark"] as const).entries()) {
      const visitor = await Visitor.open(browser, service.origin, {
        colorScheme,
        ...(colorScheme === "dark" ? phone : {}),
      });
      await visitor.open("/");
      for (const path of someOf(paths, (each) => kinds.indexOf(each) % 2 === turn)) {
        await visitor.go(path);
        barriers.push(...(await visitor.findBarriers()));
        expect(await visitor.excessWidth(), path).toBeLessThanOrEqual(0);
      }
      expect(visitor.complaints).toEqual([]);
      await visitor.close();
    }
    expect(barriers).toEqual([]);
  });

  it("works by keyboard: arrows walk the trace, Enter selects", async () => {
    const visitor = await Visitor.open(browser, service.origin);
    await visitor.open(paths[2] ?? "");
    const { page } = visitor;
    await page.locator('.node[tabindex="0"]').focus();
    const focused = () => page.evaluate("document.activeElement.textContent");
    const first = await focused();
    await page.keyboard.press("ArrowRight");
    await expect.poll(focused).not.toBe(first);
    await page.keyboard.press("Enter");
    await page.locator(".selected").waitFor();
    await page.keyboard.press("ArrowLeft");
    await expect.poll(focused).toBe(first);
    await visitor.close();
  });

  it("works when every name and comment is hostile", async () => {
    const visitor = await Visitor.open(browser, service.origin, phone);
    await visitor.page.route("**/api/v3/**", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: JSON.stringify(makeHostile(await response.json())) });
    });
    await visitor.open("/");
    const kinds = oneOfEachKind();
    for (const path of someOf(paths, (each) => kinds.includes(each))) {
      await visitor.go(path);
      expect(await visitor.excessWidth(), path).toBeLessThanOrEqual(0);
      expect(
        await visitor.page.evaluate(
          "window.hacked ?? document.querySelectorAll('main img, main script, main iframe').length",
        ),
        path,
      ).toBe(0);
      expect(await visitor.text(), path).not.toContain("This page failed");
    }
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it(
    "shows what users did after rounds in which nobody did anything",
    async () => {
      for (let made = 0; made < idleRounds; made += minedAtOnce) await mine(minedAtOnce);
      const visitor = await Visitor.open(browser, service.origin);
      await visitor.open("/");
      const lines = visitor.page.getByRole("region", { name: "Newest actions" }).locator("li");
      await lines.first().waitFor();
      // What the chain itself does comes with every block: fees go from the system to the elector. What the elector
      // sends at the times of an election, such as a returned stake, is a thing of users and may be in the list.
      expect(await lines.filter({ hasText: "System" }).count()).toBe(0);
      expect(
        await visitor.page.getByRole("img", { name: /^Transactions of users in the last 40 blocks: \d+$/ }).count(),
      ).toBe(1);
      for (const path of someOf(paths, (_, at) => at % 6 === 0)) await visitor.go(path);
      expect(visitor.complaints).toEqual([]);
      await visitor.close();
    },
    idleTimeoutMs,
  );

  // The last test: from here on the chain is ahead of the clock by which client messages expire.
  it("advances time, and shows that the chain is ahead", async () => {
    const visitor = await Visitor.open(browser, service.origin);
    await visitor.open("/local");
    await visitor.page.getByRole("button", { name: "Let an hour pass" }).click();
    await visitor.page.getByText("ahead of your clock").waitFor();
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });
});
