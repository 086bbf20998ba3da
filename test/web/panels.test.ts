import { readFileSync } from "node:fs";
import { Cell } from "@ton/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { joinSources } from "../../src/contracts/abi/files/sourceText.ts";
import { startService } from "../kit/app/startedService.ts";
import { type ExplorerStage, hexOf, openExplorerStage } from "../kit/web/ExplorerStage.ts";
import { until } from "../kit/web/localActs.ts";
import { lengthenTrace } from "../kit/web/longTrace.ts";
import { Visitor } from "../kit/web/Visitor.ts";
import "../kit/suite/longRun.ts";

let stage: ExplorerStage;
let browser: ExplorerStage["browser"];
let service: ExplorerStage["service"];
let acts: ExplorerStage["acts"];

beforeAll(async () => {
  stage = await openExplorerStage();
  ({ browser, service, acts } = stage);
});

afterAll(() => stage?.close());

function demoSource(name: string): string {
  return readFileSync(new URL(`../../src/localnet/codes/demo/${name}`, import.meta.url), "utf8");
}

type Panels = readonly (readonly [title: string, isShown: boolean])[];

/**
 * Asks every panel for its requests until all show them: the title of each panel and whether it does, read at one
 * moment, because panels may still appear. It clicks inside the page: from outside each click waits until the page
 * stands still.
 */
async function showRequests({ page }: Visitor): Promise<Panels> {
  return page.evaluate(`(() => {
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

describe("the panels of the explorer", () => {
  it("show the requests that they came from, or that their forms send", async () => {
    const { trace } = stage;
    const visitor = await Visitor.open(browser, service.origin);
    await visitor.open("/");
    const wallet = acts.address.toString({ bounceable: false });
    const tabs = ["actions", "transactions", "tokens", "nfts", "methods", "write", "storage", "code"];
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
        panels = await showRequests(visitor);
        return panels.length === 0 ? ["no panel"] : panels.filter(([, isShown]) => !isShown);
      };
      await expect.poll(listSilent, { message: path, timeout: 300_000 }).toEqual([]);
      count += panels.length;
    }
    expect(count).toBeGreaterThan(50);
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it("send from a funded wallet and lead to the transaction", async () => {
    const visitor = await Visitor.open(browser, service.origin);
    await visitor.open("/local");
    const panel = visitor.page.getByRole("region", { name: "Transfer" });
    await panel.getByLabel("From").selectOption({ label: "wallet 7, v3r2" });
    await panel.getByLabel("To").fill(acts.address.toString({ bounceable: false }));
    await panel.getByLabel("Amount").fill("1.25");
    await panel.getByLabel("Comment").fill("from the page");
    await panel.getByRole("button", { name: "Send" }).click();
    await panel.getByRole("link", { name: "See the transaction" }).click();
    await visitor.page.getByText("from the page").first().waitFor();
    expect(await visitor.text()).toContain("1.25 TON");
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it("run every control by its declaration, and mark what it wrote", async () => {
    const visitor = await Visitor.open(browser, service.origin);
    await visitor.open("/local");
    const panel = visitor.page.getByRole("region", { name: "Controls" });
    await panel.getByRole("combobox").selectOption("setBalance");
    const address = `0:${"ef".repeat(32)}`;
    await panel.getByRole("textbox", { name: "address" }).fill(address);
    expect(await panel.getByRole("button", { name: "Run" }).isDisabled()).toBe(true);
    await panel.getByRole("textbox", { name: "balance" }).fill("12.5");
    await panel.getByRole("button", { name: "Run" }).click();
    const said = await panel.getByText('"status":"sent"').innerText();
    const hash = Buffer.from(JSON.parse(said).message_hash, "base64").toString("hex");
    const find = `/api/v3/transactionsByMessage?msg_hash=${hash}`;
    await until(async () => Object(await acts.ask(find)).transactions?.length === 1);
    await visitor.open(`/tx/${hash}`);
    await visitor.page.getByText("No code ran: set by hand").first().waitFor();
    expect(await visitor.text()).toContain("Set by hand");
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it("show the settings with which Blueprint finds a funded wallet", async () => {
    const visitor = await Visitor.open(browser, service.origin);
    await visitor.open("/local");
    const panel = visitor.page.getByRole("region", { name: "Connect your tools" });
    const { words } = service.wallet("v5r1");
    const lines = [`WALLET_MNEMONIC="${words.join(" ")}"`, "WALLET_VERSION=v5r1", "WALLET_NETWORK_ID=-777"];
    await panel.getByText("WALLET_NETWORK_ID").waitFor();
    expect(await panel.locator("pre").allInnerTexts()).toContain([...lines, "SUBWALLET_NUMBER=0"].join("\n"));
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it("emulate a transfer before it is sent, with its actions in the picture", async () => {
    const visitor = await Visitor.open(browser, service.origin);
    await visitor.open("/local");
    const panel = visitor.page.getByRole("region", { name: "Transfer" });
    await panel.getByLabel("From").selectOption({ label: "wallet 8, v3r1" });
    await panel.getByLabel("To").fill(acts.address.toString({ bounceable: false }));
    await panel.getByRole("button", { name: "Emulate first" }).click();
    await visitor.page.getByRole("button", { name: "Emulate", exact: true }).click();
    await visitor.page.getByRole("heading", { name: "Predicted trace" }).waitFor();
    expect(await visitor.page.locator(".legend li").allInnerTexts()).toEqual(["1 TON transfer"]);
    expect(await visitor.page.locator(".halo").count()).toBe(2);
    await visitor.page.getByRole("button", { name: "Send it now" }).click();
    await visitor.page.getByText("The network has the message.").waitFor();
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it("replay a failed transaction and go to the step that failed", async () => {
    await acts.sendFailingTransfer();
    const failed = async (): Promise<readonly { readonly hash: string }[]> => {
      const address = (await acts.demo("jetton master")).toRawString();
      const { transactions = [] } = Object(await acts.ask(`/api/v3/transactions?account=${address}&limit=20`));
      return transactions.filter((each: object) => Object(each).description.aborted === true);
    };
    await until(async () => (await failed()).length > 0);
    const visitor = await Visitor.open(browser, service.origin);
    await visitor.open(`/tx/${hexOf((await failed())[0]?.hash ?? "")}`);
    const panel = visitor.page.getByRole("region", { name: "Replay" });
    await panel.getByRole("button", { name: "Run it again" }).click();
    await panel.getByText("The run gives the same transaction hash.").waitFor();
    expect(await panel.innerText()).toContain("65535");
    await panel.getByRole("list", { name: "Gas by method" }).getByText("internal messages").waitFor();
    await panel.getByRole("button", { name: "Go to the failing step" }).click();
    const row = panel.locator("tr.failed.chosen");
    await row.waitFor();
    expect(await row.innerText()).toMatch(/THROW/);
    await panel.getByText(/^Stack before step \d+/).waitFor();
    await panel.getByRole("button", { name: "Stack of step 1", exact: true }).click();
    await panel.getByRole("link", { name: "Open in the cell inspector" }).first().click();
    await visitor.page.getByRole("heading", { name: "Cell inspector" }).waitFor();
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it("save a whole block as its file", async () => {
    const visitor = await Visitor.open(browser, service.origin);
    await visitor.open("/block/-1/8000000000000000/7");
    const panel = visitor.page.getByRole("region", { name: "Whole block" });
    await panel.getByRole("button", { name: "Get the block" }).click();
    const [file] = await Promise.all([
      visitor.page.waitForEvent("download"),
      panel.getByRole("link", { name: "Download block_-1_8000000000000000_7.boc" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("block_-1_8000000000000000_7.boc");
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it("draw a trace of 4,000 transactions, only what is in view, and let arrows walk it", async () => {
    const visitor = await Visitor.open(browser, service.origin);
    const { page } = visitor;
    await page.route("**/api/v3/traces**", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: JSON.stringify(lengthenTrace(await response.json(), 4_000)) });
    });
    await visitor.open(`/trace/${stage.trace}`);
    await page.getByRole("group", { name: /^Trace of 4000 nodes/ }).waitFor();
    const drawn = await page.locator(".node").count();
    expect(drawn).toBeGreaterThan(0);
    expect(drawn).toBeLessThan(300);
    await page.locator('.node[tabindex="0"]').focus();
    const focused = () =>
      page.evaluate("document.activeElement.parentElement.innerHTML.length + document.activeElement.textContent");
    const first = await focused();
    for (let steps = 0; steps < 5; steps++) await page.keyboard.press("ArrowRight");
    await expect.poll(focused).not.toBe(first);
    // Far from where it began: the focus stays on a node, which is drawn like those around it.
    const top = () => page.evaluate<number>("document.querySelector('.picture').scrollTop");
    const before = await top();
    for (let steps = 0; steps < 20; steps++) await page.keyboard.press("ArrowDown");
    await expect.poll(async () => Math.abs((await top()) - before)).toBeGreaterThan(1_000);
    expect(await page.evaluate("document.activeElement.classList.contains('node')")).toBe(true);
    const later = await page.locator(".node").count();
    expect(later).toBeGreaterThan(0);
    expect(later).toBeLessThan(300);
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });
});

describe("the panels of a contract with an ABI", () => {
  it("take arguments and show results and data by name", async () => {
    const contracts: readonly { readonly name: string; readonly address: string }[] = Object(
      await acts.ask("/localnet/demo"),
    ).result;
    const master = contracts.find(({ name }) => name === "jetton master")?.address ?? "";
    const visitor = await Visitor.open(browser, service.origin);
    const { page } = visitor;
    await visitor.open(`/address/${master}?tab=methods`);
    const panel = page.getByRole("region", { name: "Methods" });
    await panel.getByRole("button", { name: "get_wallet_address" }).click();
    const field = panel.getByLabel("owner address");
    await field.fill("nobody");
    await panel.getByText("owner is no address.").waitFor();
    await field.fill(acts.address.toString());
    await panel.getByRole("button", { name: "Run" }).click();
    await panel.locator(".decoded dt").getByText("Wallet", { exact: false }).waitFor();
    // At a block at which the contract was not there yet.
    await panel.getByLabel("Method, by name or number").fill("nothing");
    await panel.getByLabel("At masterchain block").fill("3");
    await panel.getByRole("button", { name: "Run" }).click();
    await panel.getByText("exit code -13: there is no code at this address").waitFor();
    await visitor.open(`/address/${master}?tab=storage`);
    await page.getByRole("region", { name: "Storage" }).locator("dt").getByText("Total supply").waitFor();
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it("send a message by its form, and name the error of the contract, however hostile its names are", async () => {
    const master = await acts.demo("jetton master");
    const markup = "<img src=x onerror=hacked=1>";
    const receives = [
      { name: markup, tag: "#11111111", fields: [] },
      { name: "poke", tag: "#12345678", fields: [{ name: "count", type: "uint32" }] },
    ];
    const file = { name: "minter", receives, errors: { 65535: `nobody knows ${markup}` } };
    const source = joinSources([
      { name: "jettonMinter.tolk", text: `// ${markup}\n${demoSource("jettonMinter.tolk")}` },
      { name: "jettonMessages.tolk", text: demoSource("jettonMessages.tolk") },
    ]);
    const added = await fetch(`${service.origin}/localnet/abi`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ file, address: master.toRawString(), source }),
    });
    expect(added.status).toBe(200);
    // The server looks for new ABIs once a second.
    const path = `/api/v3/contract?address=${master.toRawString()}`;
    await until(async () => JSON.stringify(await acts.ask(path)).includes("nobody knows"));
    const visitor = await Visitor.open(browser, service.origin);
    const { page } = visitor;
    await visitor.open(`/address/${master}?tab=write`);
    await page.getByRole("button", { name: markup }).waitFor();
    await page.getByRole("button", { name: "poke" }).click();
    const panel = page.getByRole("region", { name: "Write" });
    await panel.getByLabel("count uint32").fill("7");
    await panel.getByRole("button", { name: "Make the body" }).click();
    const link = panel.getByRole("link", { name: "Open in a wallet" });
    const body = Buffer.from(/&bin=(.*)$/.exec((await link.getAttribute("href")) ?? "")?.[1] ?? "", "base64url");
    expect(Cell.fromBoc(body)[0]?.toString()).toBe("x{1234567800000007}");
    await panel.getByLabel("From").selectOption({ label: "wallet 9, v2r2" });
    await panel.getByRole("button", { name: "Send 0.1 TON with it" }).click();
    // The page shows the trace as far as it is indexed.
    const list = `/api/v3/transactions?account=${master.toRawString()}&limit=5`;
    await until(async () => JSON.stringify(await acts.ask(list)).includes('"opcode":"0x12345678"'));
    await panel.getByRole("link", { name: "See the trace" }).click();
    await page.locator(".selected", { hasText: `Exit code 65535: nobody knows ${markup}` }).waitFor();
    await visitor.open(`/address/${master}?tab=transactions`);
    await page.getByText(`Exit code 65535: nobody knows ${markup}`).first().waitFor();
    // On a busy machine the compiler may take longer than a request.
    await until(async () => JSON.stringify(await acts.ask(`${path}&check_source=true`)).includes('"verdict":"equal"'));
    await visitor.open(`/address/${master}?tab=code`);
    const shown = page.getByRole("region", { name: "Source" });
    await shown.getByText(/^Compiled source equals this code \(tolk 1\.\d/).waitFor();
    expect(await shown.locator("pre").innerText()).toContain(`// ${markup}`);
    expect(await visitor.findBarriers()).toEqual([]);
    expect(await page.evaluate("window.hacked ?? document.querySelectorAll('main img').length")).toBe(0);
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });
});

describe("the page of a fork", () => {
  it("says which network it continues, and what has come from there", async () => {
    const fork = await startService({ flags: ["--fork", service.origin] });
    try {
      const [{ block }] = Object(await (await fetch(`${fork.origin}/localnet/fork`)).json()).result;
      // Its page asks the index for the newest block, which is an error while there is none.
      await until(async () => (await fetch(`${fork.origin}/api/v3/masterchainInfo`)).ok);
      const visitor = await Visitor.open(browser, fork.origin);
      await visitor.open("/local");
      const panel = visitor.page.getByRole("region", { name: "Fork" });
      await panel.getByText(String(block.seqno), { exact: true }).waitFor();
      expect(await panel.locator("dd").first().textContent()).toBe(service.origin);
      expect(visitor.complaints).toEqual([]);
      await visitor.close();
    } finally {
      await fork.close();
    }
  });
});

// The last ones: they change the clock and the history of the chain.
describe("the panels of the local network", () => {
  it("make a block now", async () => {
    const visitor = await Visitor.open(browser, service.origin);
    await visitor.open("/local");
    const panel = visitor.page.getByRole("region", { name: "Blocks" });
    await panel.getByRole("button", { name: "Make a block now" }).click();
    await panel.getByText(/^Masterchain block \d+ is made\.$/).waitFor();
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it("go back to a snapshot: what came after is gone, the clock is normal again, and metrics go on", async () => {
    const visitor = await Visitor.open(browser, service.origin);
    const { page } = visitor;
    await visitor.open("/local");
    const panel = page.getByRole("region", { name: "Snapshots" });
    await panel.getByLabel("Name of the snapshot").fill("before");
    await panel.getByRole("button", { name: "Make a snapshot" }).click();
    await panel.getByText("Snapshot before is made.").waitFor();
    const time = page.getByRole("region", { name: "Time" });
    await time.getByRole("button", { name: "Let a day pass" }).click();
    await time.getByText("ahead of your clock").waitFor();
    await panel.getByRole("button", { name: "Go back to before" }).click();
    // Nothing brings the later blocks back, so the page asks first.
    const seqno = Number(Object(await acts.ask("/localnet/snapshots")).result[0].mc_seqno);
    await panel.getByText(`All blocks after ${seqno} will be lost.`).waitFor();
    await panel.getByRole("button", { name: "Cancel" }).click();
    expect(Object(Object(await acts.ask("/localnet/time")).result).ahead).toBeGreaterThan(80_000);
    await panel.getByRole("button", { name: "Go back to before" }).click();
    await panel.getByRole("button", { name: "Yes, go back to before" }).click();
    await panel.getByText("The chain is back at before.").waitFor();
    const ahead = async () => Object(Object(await acts.ask("/localnet/time")).result).ahead;
    await expect.poll(ahead, { timeout: 300_000 }).toBeLessThan(60);
    await until(async () => (await fetch(`${service.origin}/api/v3/masterchainInfo`)).status === 200);
    const metrics = await (await fetch(`${service.origin}/metrics`)).text();
    expect(Number(/^tongate_head_seqno(?:\{[^}]*\})? (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0);
    await panel.getByRole("button", { name: "Delete before" }).click();
    await panel.getByRole("button", { name: "Yes, delete before" }).click();
    await panel.getByText("before is deleted.").waitFor();
    await visitor.close();
  });
});
