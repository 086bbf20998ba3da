import { beginCell, internal, toNano } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExplorerStage, openExplorerStage } from "../kit/web/ExplorerStage.ts";
import { until } from "../kit/web/localActs.ts";
import { Visitor } from "../kit/web/Visitor.ts";

let stage: ExplorerStage;
let acts: ExplorerStage["acts"];

beforeAll(async () => {
  stage = await openExplorerStage();
  ({ acts } = stage);
});

afterAll(() => stage?.close());

const visit = (size?: { readonly width: number; readonly height: number }) =>
  Visitor.open(stage.browser, stage.service.origin, size === undefined ? {} : { viewport: size });

describe("the transactions of an account", () => {
  it("show the receiver, the amount and the result of what it sent, and what came back", async () => {
    const to = await acts.demo("jetton master");
    const body = beginCell().storeUint(0x0f8a7ea5, 32).storeUint(7, 64).endCell();
    await acts.send([internal({ to, value: toNano("0.25"), bounce: true, body })]);
    const account = acts.address.toRawString();
    const newest = async () =>
      Object(await acts.ask(`/api/v3/transactions?account=${account}&limit=1`)).transactions[0].in_msg?.bounced ===
      true;
    await until(newest);
    const visitor = await visit();
    await visitor.open(`/address/${acts.address.toString()}?tab=transactions`);
    const rows = visitor.page.getByRole("region", { name: "Transactions" }).locator("tbody tr");
    const returned = rows.filter({ hasText: "Came back: Jetton transfer from jetton master" });
    expect(await returned.first().innerText()).toMatch(/\+0\.2\d+ TON\s+ok/);
    const sent = rows.filter({ hasText: "Jetton transfer to jetton master" });
    expect(await sent.first().innerText()).toMatch(/−0\.2\d+ TON\s+ok/);
    await visitor.go(`/address/${acts.address.toString()}`);
    await visitor.page.getByText(/A message of wallet 1 came back from jetton master with 0\.2\d+ TON/).waitFor();
    expect(await visitor.text()).toContain("in answer to Jetton transfer");
    await visitor.close();
  });

  it("name a mint by the collection that receives it", async () => {
    const visitor = await visit();
    await visitor.open(`/address/${await acts.demo("NFT collection")}?tab=transactions`);
    expect(await visitor.text()).toContain("Mint NFT");
    expect(await visitor.text()).not.toMatch(/evaa/i);
    await visitor.close();
  });
});

describe("the home page", () => {
  it("shows what is answered, and goes on, where blocks come faster than answers", async () => {
    const head = async () => Number(Object(await acts.ask("/api/v3/masterchainInfo")).last.seqno);
    const visitor = await visit();
    // Each answer arrives two blocks after its request.
    await visitor.page.route("**/api/v3/**", async (route) => {
      const asked = await head();
      await until(async () => (await head()) >= asked + 2);
      await route.continue();
    });
    await visitor.open("/");
    const blocks = visitor.page.getByRole("region", { name: "Newest blocks" }).locator("li");
    const first = await blocks.first().innerText();
    await expect.poll(() => blocks.first().innerText()).not.toBe(first);
    expect(await visitor.page.getByRole("region", { name: "Newest actions" }).locator("li").count()).toBeGreaterThan(0);
    await visitor.close();
  });
});

describe("the frame of the explorer", () => {
  it("says prominently that the server does not answer", async () => {
    const visitor = await visit();
    await visitor.open("/");
    await visitor.page.context().setOffline(true);
    await visitor.page.route("**/api/**", (route) => route.abort());
    await visitor.page.getByRole("alert").filter({ hasText: "The server does not answer." }).first().waitFor();
    const top = await visitor.page.locator(".down").evaluate((element) => element.getBoundingClientRect().top);
    expect(top).toBeLessThan(150);
    await visitor.close();
  });

  it("leaves a phone most of its height, and stands at the lower edge of short pages", async () => {
    const [width, height] = [360, 740];
    const visitor = await visit({ width, height });
    await visitor.open("/no/such/page");
    const box = (selector: string) =>
      visitor.page.locator(selector).evaluate((element) => element.getBoundingClientRect().toJSON());
    expect(Object(await box(".top")).height).toBeLessThan(0.14 * height);
    expect(Object(await box("footer")).bottom).toBeGreaterThanOrEqual(height);
    expect(await visitor.page.title()).toBe("No such page · Local network · Tongate explorer");
    await visitor.close();
  });

  it("shows one panel for a block that does not exist", async () => {
    const visitor = await visit();
    await visitor.open("/block/-1/8000000000000000/99999999");
    await visitor.page.getByText("The index has no block").waitFor();
    expect(await visitor.page.locator(".panel h2").allInnerTexts()).toEqual(["No such block"]);
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it("draws a jetton transfer without cutting its last column at 1280 pixels", async () => {
    const visitor = await visit();
    await visitor.open(`/trace/${stage.trace}`);
    const excess = () =>
      visitor.page.locator(".picture").evaluate((element) => Number(element.scrollWidth) - Number(element.clientWidth));
    await expect.poll(excess).toBe(0);
    await visitor.close();
  });
});

describe("forms and pictures", () => {
  it("give coins to the wallet of a domain, and say why another text is refused", async () => {
    const visitor = await visit();
    await visitor.open("/local");
    const panel = visitor.page.getByRole("region", { name: "Faucet" });
    await panel.getByLabel("Address").fill("nobody.ton");
    await panel.getByText("This network has no domain nobody.ton.").waitFor();
    await panel.getByLabel("Address").fill("alice.ton");
    await panel.getByText(/^alice\.ton is UQ/).waitFor();
    await panel.getByLabel("Coins").fill("1.5");
    await panel.getByRole("button", { name: "Give" }).click();
    await panel.getByText("1.5 TON").waitFor();
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it("show the schedule of a vesting, the balance over time and a QR code of the address", async () => {
    const visitor = await visit();
    await visitor.open(`/address/${await acts.demo("vesting wallet")}`);
    const { page } = visitor;
    await page.getByRole("img", { name: /^Locked coins over time: [\d.]+ of 100 TON now$/ }).waitFor();
    await page.getByRole("img", { name: /^Balance since / }).waitFor();
    await page.getByRole("button", { name: "QR code" }).click();
    await page.getByRole("img", { name: /^QR code of / }).waitFor();
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it("lead from an account to the page of its domain", async () => {
    const visitor = await visit();
    await visitor.open(`/address/${acts.address.toString()}`);
    await visitor.page.getByRole("link", { name: "alice.ton" }).first().click();
    await visitor.page.getByRole("region", { name: "Domain" }).getByText("alice.ton").first().waitFor();
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it("step through lists", async () => {
    for (let round = 0; round < 30; round++)
      await fetch(`${stage.service.origin}/localnet/block`, { method: "POST", body: "{}" });
    await until(async () => Object(await acts.ask("/api/v3/masterchainInfo")).last.seqno > 30);
    const visitor = await visit();
    await visitor.open("/list/blocks");
    const first = visitor.page.locator("tbody tr").first();
    const newest = await first.innerText();
    await visitor.page.getByRole("button", { name: "Next" }).click();
    await expect.poll(() => first.innerText()).not.toBe(newest);
    await visitor.page.getByText("26 to ").waitFor();
    await visitor.close();
  });
});

describe("the documentation", () => {
  it("has a copy button at every example, and a search that leads to sections", async () => {
    const visitor = await visit();
    const { page } = visitor;
    await page.goto(`${stage.service.origin}/docs/start`);
    await page.locator("pre button").first().waitFor();
    expect(await page.locator("pre button").count()).toBe(await page.locator("main pre").count());
    await page.getByRole("searchbox", { name: "Search the documentation" }).fill("test coins");
    await page.getByRole("link", { name: "Get test coins" }).click();
    await page.getByRole("heading", { name: "Get test coins" }).waitFor();
    expect(page.url()).toBe(`${stage.service.origin}/docs/start#get-test-coins`);
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });
});
