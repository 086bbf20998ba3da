import { readFileSync } from "node:fs";
import { beginCell, internal, toNano } from "@ton/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatCoins, formatUnits } from "../../web/format/coins.ts";
import { RemoteStage } from "../kit/app/remoteStage.ts";
import { type ExplorerStage, hexOf, openExplorerStage } from "../kit/web/ExplorerStage.ts";
import { listPaths, serveRecorded } from "../kit/web/recordedService.ts";
import { Visitor } from "../kit/web/Visitor.ts";
import "../kit/suite/longRun.ts";

let stage: ExplorerStage;
let browser: ExplorerStage["browser"];
let service: ExplorerStage["service"];
let acts: ExplorerStage["acts"];
let trace: string;

beforeAll(async () => {
  stage = await openExplorerStage();
  ({ browser, service, acts, trace } = stage);
});

afterAll(() => stage?.close());

/** Opens a page, hands it to a test, and expects that it reports nothing. */
async function visit(path: string, look: (visitor: Visitor) => Promise<void>): Promise<void> {
  const visitor = await Visitor.open(browser, service.origin);
  await visitor.open(path);
  await look(visitor);
  expect(visitor.complaints).toEqual([]);
  await visitor.close();
}

describe("the configuration of two blocks", () => {
  it("differs by what was added, changed or removed between them, with its value", async () => {
    const root = await acts.demo("DNS root");
    const head = Number(Object(await acts.ask("/api/v2/getMasterchainInfo")).result.last.seqno);
    await visit(`/config/${head}?against=1`, async ({ page }) => {
      const panel = page.getByRole("region", { name: "Difference to block 1", exact: true });
      const lines = (await panel.locator(".difference").allInnerTexts()).flatMap((text) => text.split(/\n+/));
      const at = lines.indexOf("added 4 DNS root");
      expect(lines.slice(at, at + 3)).toEqual(["added 4 DNS root", "Address", root.hash.toString("hex")]);
      // Elections have changed the validators, and nothing else has changed.
      const changes = lines.filter((line) => /^(?:added|changed|removed) \d/.test(line));
      const others = changes.filter((line) => !/^(?:added|changed) 3[246] \w+ validators$/.test(line));
      expect([others, changes.length > 1]).toEqual([["added 4 DNS root"], true]);
    });
    await visit(`/config/1?against=${head}`, async ({ page }) => {
      const panel = page.getByRole("region", { name: `Difference to block ${head}` });
      expect(await panel.locator(".badge").allInnerTexts()).toContain("removed");
    });
  });

  it("is chosen in the form, and equal ones say so", async () => {
    await visit("/config", async ({ page }) => {
      await page.getByLabel("Block", { exact: true }).fill("3");
      await page.getByLabel("Compare with block").fill("2");
      await page.getByRole("link", { name: "Show" }).click();
      await page.getByText("Nothing differs.").waitFor();
      expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe("/explorer/config/3?against=2");
    });
  });
});

describe("the views of a trace", () => {
  it("draw a trace of hundreds of similar messages folded, and expand it", async () => {
    const to = await acts.demo("jetton master");
    const many = Array.from({ length: 200 }, () => internal({ to, value: toNano("0.02"), bounce: false, body: "tip" }));
    await acts.send(many);
    const visitor = await Visitor.open(browser, service.origin);
    const account = acts.address.toRawString();
    const found = async () => Object(Object(await acts.ask(`/api/v3/traces?account=${account}&limit=1`)).traces[0]);
    await expect.poll(async () => (await found()).trace_info.transactions, { timeout: 300_000 }).toBeGreaterThan(200);
    await visitor.open(`/trace/${hexOf((await found()).trace_id)}`);
    await visitor.page.locator(".node.fold").first().click();
    await expect.poll(() => visitor.page.locator(".node").count()).toBeGreaterThan(5);
    // Only visible nodes are drawn.
    expect(await visitor.page.locator(".node").count()).toBeLessThan(60);
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it("list gains and losses as the API gives them, which sum to zero with the fees", async () => {
    const answer = Object(await acts.ask(`/api/v3/balanceChanges?trace_id=${trace}`));
    const coins = Object.entries(answer.changes as Record<string, string>);
    const fees = answer.fees as Record<string, string>;
    const signed = (amount: bigint, text: string) => (amount > 0n ? `+${text}` : text);
    const expected = [
      ...coins.map(([account, amount]) => [
        `${signed(BigInt(amount), formatCoins(amount))} TON`,
        `${formatCoins(fees[account] ?? "0")} TON`,
      ]),
      ...Object.values(answer.jettons as Record<string, Record<string, string>>).flatMap((byAsset) =>
        Object.values(byAsset).map((amount) => [`${signed(BigInt(amount), formatUnits(amount, 9))} DEMO jetton`, ""]),
      ),
    ];
    await visit(`/trace/${trace}`, async ({ page }) => {
      const rows = page.getByRole("region", { name: "Value flow" }).locator("tbody tr");
      const shown = (await rows.all()).map(async (row) => [
        await row.locator("td").nth(1).innerText(),
        await row.locator("td").nth(3).innerText(),
      ]);
      expect(await Promise.all(shown)).toEqual(expected);
    });
    const total = coins.reduce((sum, [account, amount]) => sum + BigInt(amount) + BigInt(fees[account] ?? 0), 0n);
    expect([total, expected.length > 4]).toEqual([0n, true]);
  });

  it("draw a lane for each account and an arrow for each message, in the order of logical time", async () => {
    const path = `/api/v3/traces?trace_id=${trace}&limit=1`;
    const { transactions } = Object(Object(await acts.ask(path)).traces[0]);
    const all = Object.values(transactions as Record<string, { account: string; in_msg: { decoded_opcode?: string } }>);
    await visit(`/trace/${trace}`, async ({ page }) => {
      await page.getByRole("button", { name: "Sequence" }).click();
      const lanes = new Set(all.map(({ account }) => account)).size;
      await page.getByRole("img", { name: `${all.length} messages between ${lanes} accounts` }).waitFor();
      expect(await page.locator(".lane").count()).toBe(lanes);
      const words = await page.locator(".picture .edge text:not(.value)").allTextContents();
      const values = await page.locator(".picture .edge text.value").allTextContents();
      // Words of an external message begin inside the picture.
      const texts = "[...document.querySelectorAll('.picture .edge text')]";
      expect(await page.evaluate(`Math.min(...${texts}.map((text) => text.getBBox().x))`)).toBeGreaterThanOrEqual(0);
      expect(words).toHaveLength(all.length);
      expect(words.slice(1, 3)).toEqual(["Jetton transfer", "Jetton internal transfer"]);
      expect(values).toEqual(["", ...values.slice(1).map(() => expect.stringMatching(/^[\d.]+ TON$/))]);
      // No words stand on a lifeline.
      const lines = "[...document.querySelectorAll('.picture .lane path')].map((line) => line.getBBox().x)";
      const crossed = `${texts}.map((text) => text.getBBox()).filter(({ x, width }) => ${lines}.some((line) => line > x && line < x + width))`;
      expect(await page.evaluate(`${crossed}.length`)).toBe(0);
      await page.getByRole("button", { name: "List" }).click();
      expect(await page.locator("tbody tr").count()).toBeGreaterThanOrEqual(all.length);
    });
  });
});

describe("the phases of a transaction", () => {
  it("name a limit of gas only where the message has one", async () => {
    await visit(`/tx/${trace}`, async ({ page }) => {
      const phases = page.getByRole("region", { name: "Phases" }).first();
      expect(await phases.innerText()).toMatch(/\n[\d\s]+ gas, \d+ steps/);
    });
  });
});

describe("the cell inspector", () => {
  it("shows the cells of a bag, its hash and its meaning in words", async () => {
    const inner = beginCell().storeUint(0xabcd, 16).endCell();
    const body = beginCell()
      .storeUint(0x0f8a7ea5, 32)
      .storeUint(7, 64)
      .storeCoins(toNano("5"))
      .storeAddress(acts.address)
      .storeAddress(acts.address)
      .storeBit(false)
      .storeCoins(1n)
      .storeBit(true)
      .storeRef(inner)
      .endCell();
    await visit("/cell", async ({ page }) => {
      await page.getByLabel("Hex or base64").fill(body.toBoc().toString("hex"));
      const meaning = page.getByRole("region", { name: "Meaning" });
      await meaning.getByText("Jetton transfer", { exact: true }).waitFor();
      const facts = await meaning.locator(".decoded > .facts > div").allInnerTexts();
      const name = (text: string) => facts.find((each) => each.startsWith(text))?.split("\n")[1];
      expect([name("Query id"), name("Amount"), name("Destination")]).toEqual(["7", "5000000000", "wallet 1"]);
      expect(await meaning.innerText()).toContain(body.hash().toString("hex"));
      const cells = page.getByRole("region", { name: "Cells", exact: true });
      expect(await cells.locator("summary .number").allInnerTexts()).toEqual([
        `${body.bits.length} bits`,
        ", 1 reference",
        "16 bits",
      ]);
      expect(await cells.locator(".bits").last().innerText()).toBe("abcd");
      await page.getByLabel("Hex or base64").fill("te6nothing");
      await page.locator(".failure").waitFor();
    });
  });
});

describe("the status page", () => {
  it("draws requests and lag over time, and shows the metrics of the server", async () => {
    await visit("/status", async ({ page }) => {
      const metric = async (name: string) => {
        const text = await (await fetch(`${service.origin}/metrics`)).text();
        return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\d+)`, "m").exec(text)?.[1]);
      };
      const before = await metric("tongate_head_seqno");
      const lines = page.locator("figure polyline");
      await expect
        .poll(async () => (await lines.last().getAttribute("points"))?.split(" ").length ?? 0)
        .toBeGreaterThan(2);
      expect(await page.locator("figure figcaption").allInnerTexts()).toEqual([
        expect.stringMatching(/^Requests: [\d.]+ a second$/),
        expect.stringMatching(/^Index behind the chain: [\d.]+ seconds$/),
      ]);
      const shown = page.locator(".facts > div", { hasText: "Newest block" }).locator("dd");
      const seqno = Number((await shown.innerText()).replace(/\s/g, ""));
      expect(seqno).toBeGreaterThanOrEqual(before);
      expect(seqno).toBeLessThanOrEqual(await metric("tongate_head_seqno"));
    });
  });
});

/** A jetton that pretends to be the coin, as its master may describe it. */
const pretender = {
  symbol: "T\u200bОN",
  name: "W".repeat(5_000),
  description: "D".repeat(5_000),
  image: "https://example.org/\u202egpj.exe",
  extra: { decimals: "255", uri: "https://example.org/\u202egpj.exe" },
};

function disguise(answer: unknown): unknown {
  const { metadata, ...rest } = Object(answer);
  const all = Object.entries(Object(metadata)).map(([address, about]) => {
    const infos = Object(about).token_info.map((info: object) => ({ ...info, ...pretender }));
    return [address, { ...Object(about), token_info: infos }];
  });
  return { ...rest, ...(metadata === undefined ? {} : { metadata: Object.fromEntries(all) }) };
}

describe("a jetton with the symbol of the coin, 255 decimals, long names and turned links", () => {
  it("is marked with every amount, turns no text and widens no page", async () => {
    const visitor = await Visitor.open(browser, service.origin, { viewport: { width: 360, height: 740 } });
    const { page } = visitor;
    await page.route("**/api/v3/**", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: JSON.stringify(disguise(await response.json())) });
    });
    const master = await acts.demo("jetton master");
    const paths = [`/trace/${trace}`, `/jetton/${master}`, `/address/${acts.address}?tab=tokens`];
    for (const path of [...paths, `/address/${acts.address}?tab=actions`, "/search?q=a%E2%80%AEb", "/"]) {
      await visitor.open(path);
      const amounts = await page.locator(".amount.token").allInnerTexts();
      expect(
        amounts.filter((text) => !/jetton not the coin$/.test(text.replace(/\s+/g, " "))),
        path,
      ).toEqual([]);
      expect([path, amounts.length > 0]).toEqual([path, paths.includes(path) || amounts.length > 0]);
      expect(await page.content(), path).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
      expect([path, await visitor.excessWidth()]).toEqual([path, 0]);
    }
    await visitor.close();
  });
});

describe("the result of a get-method with 200 cells of 400 levels", () => {
  it("is shown in pieces, without reading the cells", async () => {
    let cell = beginCell().endCell();
    for (let level = 0; level < 400; level++) cell = beginCell().storeUint(level, 32).storeRef(cell).endCell();
    const entry = { type: "cell", value: cell.toBoc().toString("base64") };
    const nested = { type: "tuple", value: Array.from({ length: 200 }, () => entry) };
    const stack = [nested, ...nested.value];
    const visitor = await Visitor.open(browser, service.origin);
    const { page } = visitor;
    // Every bag that is read goes through this function.
    await page.addInitScript(`const decode = atob; window.bagsRead = 0;
      window.atob = (text) => { if (text.length > 1_000) window.bagsRead++; return decode(text); };`);
    await page.route("**/api/v3/runGetMethod", (route) =>
      route.fulfill({ json: { gas_used: 1, exit_code: 0, stack, block_id: null, last_transaction_id: null } }),
    );
    await visitor.open(`/address/${await acts.demo("jetton master")}?tab=methods`);
    await page.getByLabel("Method, by name or number").fill("all");
    const readBefore = await page.evaluate("bagsRead");
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText("Show 151 more of 201").waitFor();
    expect(await page.locator(".result li").count()).toBe(50);
    await page.getByText("tuple of 200").click();
    await page.getByText("Show 150 more of 200").waitFor();
    expect(await page.evaluate("bagsRead")).toBe(readBefore);
    await visitor.close();
  });
});

describe("the data and code of a contract", () => {
  it("show what changed, by a transaction and between two", async () => {
    const { transactions } = Object(Object(await acts.ask(`/api/v3/traces?trace_id=${trace}`)).traces[0]);
    const all: readonly { hash: string; in_msg: { decoded_opcode?: string } }[] = Object.values(transactions);
    const found = all.find(({ in_msg: message }) => message.decoded_opcode === "jetton_internal_transfer");
    await visit(`/tx/${hexOf(found?.hash ?? "")}`, async ({ page }) => {
      await page.getByRole("button", { name: "Show what changed in the data" }).click();
      const changed = page.getByRole("region", { name: "Changes of the data" });
      await changed.getByRole("rowheader", { name: "Balance" }).waitFor();
    });
    await visit(`/address/${await acts.demo("jetton wallet of wallet 1")}?tab=storage`, async ({ page }) => {
      await page.getByRole("button", { name: "Compare" }).click();
      const changed = page.getByRole("region", { name: "Changes of the data" });
      await changed.getByRole("rowheader", { name: "Balance" }).waitFor();
    });
  });

  it("show who else has the code, and its instructions by method", async () => {
    await visit(`/address/${await acts.demo("jetton wallet of wallet 1")}?tab=code`, async (visitor) => {
      const { page } = visitor;
      await page.setViewportSize({ width: 360, height: 740 });
      const others = page.getByRole("region", { name: "Who else has this code" });
      await others.getByText(/^\d+ accounts?:$/).waitFor();
      await page.getByRole("button", { name: "Disassemble" }).click();
      await page.locator(".listing", { hasText: "method get_wallet_data (97026):" }).waitFor();
      expect(await page.locator(".listing").innerText()).not.toContain("(invalid)");
      expect(await visitor.excessWidth()).toBeLessThanOrEqual(0);
      expect(await visitor.findBarriers()).toEqual([]);
    });
  });
});

describe("labels of one's own", () => {
  it("are added from a file and saved to one", async () => {
    await visit("/", async (visitor) => {
      const { page } = visitor;
      await page.getByText("Settings").click();
      await page.getByRole("button", { name: "Your labels as a file" }).click();
      const choose = async (text: string) => {
        const file = { name: "labels.json", mimeType: "application/json", buffer: Buffer.from(text) };
        await page.getByLabel("Add labels of a file").setInputFiles(file);
      };
      await choose("{}");
      await page.getByText("This is not a file of labels.").waitFor();
      await choose(JSON.stringify({ "tongate-labels": 1, labels: { [acts.address.toString()]: "<b>mine</b>" } }));
      await page.getByText("One label is added.").waitFor();
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Save 1 label to a file" }).click(),
      ]);
      expect(JSON.parse(readFileSync(await file.path(), "utf8"))).toEqual({
        "tongate-labels": 1,
        labels: { [acts.address.toString()]: "<b>mine</b>" },
      });
      expect(await visitor.findBarriers()).toEqual([]);
      await visitor.open(`/address/${acts.address}`);
      await page.getByRole("heading", { level: 1, name: "<b>mine</b>" }).waitFor();
    });
  });
});

describe("the explorer of a recorded chain", () => {
  it("shows things of the chain on a phone without an error, a foreign request or a page too wide", async () => {
    const stage = await RemoteStage.open();
    const recorded = await serveRecorded(stage);
    const visitor = await Visitor.open(browser, recorded.origins[0] ?? "", { viewport: { width: 360, height: 740 } });
    await visitor.open("/");
    for (const path of await listPaths(recorded, 30)) {
      await visitor.go(path);
      const shown = await visitor.text();
      expect([path, await visitor.excessWidth(), /failed:/.test(shown)]).toEqual([path, 0, false]);
    }
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
    await stage.close();
  });
});
