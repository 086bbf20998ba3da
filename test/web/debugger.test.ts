import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { joinSources } from "../../src/contracts/abi/files/sourceText.ts";
import { layOutFlame } from "../../web/contract/flame.ts";
import { firstShown, listShown, splitSource } from "../../web/contract/sourceFiles.ts";
import { type ExplorerStage, hexOf, openExplorerStage } from "../kit/web/ExplorerStage.ts";
import { until } from "../kit/web/localActs.ts";
import { Visitor } from "../kit/web/Visitor.ts";

describe("a flame graph", () => {
  const stacks = [
    { frames: ["main", "load", "a.tolk:1"], gas: 600 },
    { frames: ["main", "a.tolk:9"], gas: 300 },
    { frames: ["main", "load", "a.tolk:2"], gas: 99 },
    { frames: ["(other code)"], gas: 1 },
  ];

  it("gives each call the part of the width that its gas is of the whole", () => {
    const at = (name: string, gas: number, depth: number, x: number) => ({ name, gas, depth, x, width: gas / 1000 });
    expect(layOutFlame(stacks, []).map(({ path: _, ...node }) => node)).toEqual([
      at("main", 999, 0, 0),
      at("load", 699, 1, 0),
      at("a.tolk:1", 600, 2, 0),
      at("a.tolk:2", 99, 2, 0.6),
      at("a.tolk:9", 300, 1, 0.699),
    ]);
    expect(layOutFlame(stacks, ["main", "load"]).map(({ name, width }) => [name, width])).toEqual([
      ["a.tolk:1", 600 / 699],
      ["a.tolk:2", 99 / 699],
    ]);
    expect([layOutFlame([], []), layOutFlame(stacks, ["nothing"])]).toEqual([[], []]);
  });

  it("has a limited number of parts and depth", () => {
    const deep = Array.from({ length: 64 }, (_, at) => `call ${at}`);
    const many = Array.from({ length: 500 }, (_, at) => ({ frames: [`f${at}`, ...deep], gas: 1 }));
    expect(layOutFlame(many, []).length).toBeLessThanOrEqual(400);
    expect(Math.max(...layOutFlame(many.slice(0, 1), []).map(({ depth }) => depth))).toBe(23);
  });
});

describe("the files of a source", () => {
  it("are those that were joined", () => {
    const files = [
      { name: "../<b>.tolk", text: "a\nb\n" },
      { name: "lib/two.tolk", text: "c\n" },
    ];
    const lines = files.map(({ name, text }) => ({ name, lines: text.split("\n") }));
    expect(splitSource(joinSources(files))).toEqual(lines);
    expect(splitSource("a\nb")).toEqual([{ name: "main.tolk", lines: ["a", "b"] }]);
  });

  it("are shown a part at a time, with the current line within it", () => {
    const [file] = splitSource(Array.from({ length: 100_000 }, (_, at) => `${at + 1}`).join("\n"));
    if (file === undefined) throw new Error("a source has a file");
    for (const line of [undefined, 1, 60, 61, 50_000, 99_999, 100_000, 200_000]) {
      const shown = listShown(file, firstShown(line, file.lines.length));
      expect(shown).toHaveLength(120);
      expect(shown.every(([number, text]) => String(number) === text)).toBe(true);
      if (line !== undefined && line <= 100_000) expect(shown.map(([number]) => number)).toContain(line);
    }
    expect(listShown({ name: "x", lines: ["A".repeat(100_000)] }, 1)[0]?.[1]).toHaveLength(500);
  });
});

describe("the debugger of the explorer", () => {
  const markup = '<img src=x onerror="window.hacked=1">.tolk';
  let stage: ExplorerStage;
  let hash = "";
  let failedLine = 0;

  beforeAll(async () => {
    stage = await openExplorerStage();
    const { acts, service } = stage;
    const demoText = (name: string) =>
      readFileSync(new URL(`../../src/localnet/codes/demo/${name}`, import.meta.url), "utf8");
    const source = joinSources([
      { name: markup, text: demoText("jettonMinter.tolk") },
      { name: "jettonMessages.tolk", text: demoText("jettonMessages.tolk") },
    ]);
    const address = (await acts.demo("jetton master")).toRawString();
    const added = await fetch(`${service.origin}/localnet/abi`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ file: JSON.stringify({ name: "minter" }), address, source }),
    });
    expect(added.status).toBe(200);
    await acts.sendFailingTransfer();
    const findFailed = async () => {
      const { transactions = [] } = Object(await acts.ask(`/api/v3/transactions?account=${address}&limit=20`));
      return transactions.find((each: object) => Object(each).description.aborted === true);
    };
    await until(async () => (await findFailed()) !== undefined);
    const { lt, hash: found } = await findFailed();
    hash = found;
    // The server looks for new ABIs once a second, and then compiles the source.
    const query = `address=${address}&lt=${lt}&hash=${encodeURIComponent(hash)}&limit=1000&source=true`;
    const replay = async () => Object(await acts.ask(`/api/v2/replayTransaction?${query}`)).result ?? {};
    await until(async () => ((await replay()).gas_by_line ?? []).length > 0);
    const { steps, failed_step: failed } = await replay();
    failedLine = steps[failed].source.line;
    expect(steps[failed].source.file).toBe(markup);
  });

  afterAll(() => stage?.close());

  it("shows lines, stops at breakpoints and draws gas, by keyboard too, and escapes names", async () => {
    const visitor = await Visitor.open(stage.browser, stage.service.origin);
    const { page } = visitor;
    await visitor.open(`/tx/${hexOf(hash)}`);
    const panel = page.getByRole("region", { name: "Replay" });
    await panel.getByRole("button", { name: "Run it again" }).click();
    const source = panel.getByRole("region", { name: "Source" });
    await source.getByRole("button", { name: `Breakpoint at line ${failedLine}`, exact: true }).press("Enter");
    await source.getByRole("button", { name: "Go to the next breakpoint" }).press("Enter");
    const current = source.locator(`tr[aria-current="true"]`);
    await current.getByRole("button", { name: `Breakpoint at line ${failedLine}`, exact: true }).waitFor();
    await source.getByText(`${markup}:${failedLine}`).first().waitFor();
    await source.getByRole("button", { name: "Go to the exit" }).press("Enter");
    await panel.locator("tr.failed.chosen").waitFor();
    await source.getByRole("button", { name: "Go to the next breakpoint" }).click();
    await panel.getByText("The run reaches no further breakpoint.").waitFor();
    await panel.getByRole("button", { name: "Go to the first step" }).click();
    await panel.getByText(/^1 to \d+ of \d+$/).waitFor();
    const frame = source.getByRole("button", { name: /^onInternalMessage: gas [\d,\u202f ]+, [\d.]+ %$/ });
    await frame.press("Enter");
    await source.getByText("in onInternalMessage").waitFor();
    await source.getByRole("button", { name: "Show all" }).click();
    await frame.waitFor();
    await source.getByText("As a table").click();
    await source.getByRole("region", { name: "Gas by calls" }).waitFor();
    await source.getByLabel("File").selectOption("jettonMessages.tolk");
    await source.getByRole("button", { name: "Breakpoint at line 1", exact: true }).waitFor();
    expect(await visitor.findBarriers()).toEqual([]);
    expect([await page.evaluate("window.hacked"), visitor.complaints]).toEqual([undefined, []]);
    await visitor.close();
  });

  it("fits on a phone, in dark colours", async () => {
    const options = { viewport: { width: 360, height: 740 }, colorScheme: "dark" } as const;
    const visitor = await Visitor.open(stage.browser, stage.service.origin, options);
    await visitor.open(`/tx/${hexOf(hash)}`);
    const panel = visitor.page.getByRole("region", { name: "Replay" });
    await panel.getByRole("button", { name: "Run it again" }).click();
    await panel.getByRole("group", { name: "Flame graph of the gas" }).waitFor();
    expect(await visitor.excessWidth()).toBe(0);
    expect([await visitor.findBarriers(), visitor.complaints]).toEqual([[], []]);
    await visitor.close();
  });
});
