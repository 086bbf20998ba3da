import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExplorerStage, openExplorerStage } from "../kit/web/ExplorerStage.ts";
import { Visitor } from "../kit/web/Visitor.ts";

let stage: ExplorerStage;
let browser: ExplorerStage["browser"];
let service: ExplorerStage["service"];
let acts: ExplorerStage["acts"];
let visitor: Visitor;

type Panels = readonly (readonly [title: string, isShown: boolean])[];

beforeAll(async () => {
  stage = await openExplorerStage();
  ({ browser, service, acts } = stage);
  visitor = await Visitor.open(browser, service.origin);
  await visitor.open("/");
});

afterAll(() => stage?.close());

/**
 * Asks every panel for its requests until all show them: the title of each panel and whether it does, read at one moment,
 * because panels may still appear. It clicks inside the page: from outside each click waits until the page stands still.
 */
async function showRequests(): Promise<Panels> {
  return visitor.page.evaluate(`(() => {
    const panels = [...document.querySelectorAll(".panel")];
    for (const each of document.querySelectorAll(".panel > header button"))
      if (each.textContent === "Show the request") each.click();
    const commands = panels.map((each) => each.querySelector(":scope > .request .line code")?.textContent ?? "");
    return panels.map((each, at) => [
      each.querySelector(":scope > header h2").textContent,
      commands[at].startsWith(${JSON.stringify(`curl '${service.origin}/`)}),
    ]);
  })()`);
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
      let panels: Panels = [];
      const listSilent = async () => {
        panels = await showRequests();
        return panels.length === 0 ? ["no panel"] : panels.filter(([, isShown]) => !isShown);
      };
      await expect.poll(listSilent, { message: path, timeout: 60_000 }).toEqual([]);
      count += panels.length;
    }
    expect(count).toBeGreaterThan(50);
    expect(visitor.complaints).toEqual([]);
  });
});
