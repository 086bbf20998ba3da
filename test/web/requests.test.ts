import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExplorerStage, openExplorerStage } from "../kit/web/ExplorerStage.ts";
import { Visitor } from "../kit/web/Visitor.ts";

let stage: ExplorerStage;
let browser: ExplorerStage["browser"];
let service: ExplorerStage["service"];
let acts: ExplorerStage["acts"];
let visitor: Visitor;

beforeAll(async () => {
  stage = await openExplorerStage();
  ({ browser, service, acts } = stage);
  visitor = await Visitor.open(browser, service.origin);
  await visitor.open("/");
});

afterAll(() => stage?.close());

/**
 * The titles of all panels, and of those that show requests when asked to. It clicks inside the page: from outside each
 * click waits until the page stands still.
 */
async function listPanels(): Promise<{ readonly all: string[]; readonly shown: string[] }> {
  const panels = visitor.page.locator(".panel");
  const all = await panels.locator("> header h2").allInnerTexts();
  const press = (name: string) =>
    visitor.page.evaluate(`for (const each of document.querySelectorAll(".panel > header button"))
      if (each.textContent === ${JSON.stringify(name)}) each.click();`);
  await press("Show the request");
  await expect.poll(() => panels.getByRole("button", { name: "Show the request" }).count()).toBe(0);
  const commands = await panels.evaluateAll((each) =>
    each.map((panel) => panel.querySelector(":scope > .request .line code")?.textContent ?? ""),
  );
  await press("Hide the request");
  await expect.poll(() => panels.locator("> .request").count()).toBe(0);
  return { all, shown: all.filter((_, at) => commands[at]?.startsWith(`curl '${service.origin}/`)) };
}

describe("every panel", () => {
  it("can show the request that it came from, or that its form sends", async () => {
    const { trace } = stage;
    const wallet = acts.address.toString({ bounceable: false });
    const tabs = ["actions", "transactions", "tokens", "nfts", "methods", "code"];
    const paths = [
      "/",
      `/tx/${trace}`,
      `/trace/${trace}`,
      "/block/-1/8000000000000000/11",
      "/config?against=2",
      `/jetton/${await acts.demo("jetton master")}`,
      `/nft/${await acts.demo("NFT collection")}`,
      `/nft/${await acts.demo("NFT item 1")}`,
      ...tabs.map((tab) => `/address/${wallet}?tab=${tab}`),
      "/cell?boc=te6cckEBAQEADgAAGAAAAABoZWxsbyB0b27xVl9G",
      "/emulate",
      "/status",
      "/local",
    ];
    let count = 0;
    for (const path of paths) {
      await visitor.go(path);
      const { all, shown } = await listPanels();
      expect([path, shown]).toEqual([path, all]);
      expect([path, all.length]).not.toEqual([path, 0]);
      count += all.length;
    }
    expect(count).toBeGreaterThan(50);
    expect(visitor.complaints).toEqual([]);
  });
});
