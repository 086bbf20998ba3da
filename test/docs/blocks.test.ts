import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type ServedProcess, serveProcess } from "../../kit/api/servedProcess.ts";
import { type CompiledApp, compileApp } from "../../kit/suite/compiledApp.ts";
import { openBrowser } from "../../kit/suite/openBrowser.ts";
import { loadConfig, options } from "../../src/app/config.ts";
import { flagOf, variableOf } from "../../src/app/options.ts";
import { parseScope } from "../../src/history/scope/parseScope.ts";
import { WsClient } from "../kit/api/stream/streamClients.ts";
import { type DocumentBlock, listBlocks } from "../kit/deploy/documentBlocks.ts";
import "../kit/suite/longRun.ts";
import { Visitor } from "../kit/web/Visitor.ts";

const root = join(import.meta.dirname, "../..");
const guides = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...guides.map((name) => `docs/${name}`),
  "examples/README.md",
];
/** test/package.test.ts runs the README of the client with the installed package. */
const ofPackage = new Set(["docs/client.md"]);
const blocks = documents
  .filter((name) => !ofPackage.has(name))
  .flatMap((name) =>
    listBlocks(readFileSync(join(root, name), "utf8")).map((block) => ({ name: `${name}:${block.line}`, ...block })),
  );
const run = blocks.filter(({ notRun }) => notRun === undefined);
const isShell = ({ language }: DocumentBlock) => language === "sh";
/** A stream does not end by itself. */
const isStream = (block: DocumentBlock) => isShell(block) && block.text.includes("/api/streaming/");

let app: CompiledApp;
let service: ServedProcess;
const folder = mkdtempSync(join(tmpdir(), "tongate-docs-"));
const modules = join(root, "node_modules", ".cache", `tongate-docs-${process.pid}`);

beforeAll(async () => {
  mkdirSync(modules, { recursive: true });
  app = await compileApp();
  // A machine under load may take longer than users are expected to wait.
  const patience = ["--deadline-ms", "300000"];
  service = await serveProcess(app, ["--data", join(folder, "data"), "--demo", "off", ...patience]);
  while ((await fetch(`${service.origin}/readyz`)).status !== 200) await setTimeout(100);
  mkdirSync(join(folder, "bin"));
  const program = `#!/bin/sh\nexec ${process.execPath} ${app.cli} "$@"\n`;
  writeFileSync(join(folder, "bin", "tongate"), program, { mode: 0o755 });
});

afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
  rmSync(modules, { recursive: true });
});

/** Documents use the default address; the server of this test has another port. */
function atService(text: string): string {
  return text.replaceAll("http://127.0.0.1:8081", service.origin);
}

function startShell(text: string) {
  const env = {
    PATH: `${join(folder, "bin")}:${process.env.PATH}`,
    TONGATE_PORT: new URL(service.origin).port,
    TONGATE_DATA: join(folder, "data"),
  };
  const child = spawn("bash", ["-euo", "pipefail", "-c", atService(text)], {
    ...{ cwd: folder, env, detached: true, stdio: ["ignore", "pipe", "pipe"] },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (more) => (output += more));
  return { child, output: () => output, closed: once(child, "close") as Promise<[number | null]> };
}

async function runShell(text: string): Promise<{ readonly code: number | null; readonly output: string }> {
  const { closed, output } = startShell(text);
  const [code] = await closed;
  return { code, output: output() };
}

/** Languages whose blocks are tested; blocks in others need a mark. */
const languages = ["sh", "ts", "json", "js"];

describe("the blocks of all documents", () => {
  it("have a reason if no test runs them, and a testable language otherwise", () => {
    expect(blocks.length).toBeGreaterThan(20);
    expect(run.filter(({ language }) => !languages.includes(language))).toEqual([]);
    expect(blocks.filter(({ notRun }) => notRun !== undefined && notRun.length < 10)).toEqual([]);
  });

  it.each(run.filter((block) => isShell(block) && !isStream(block)))("run: $name", async ({ text }) => {
    const { code, output } = await runShell(text);
    expect([code, output]).toEqual([0, output]);
  });

  it.each(run.filter(isStream))("stream: $name", async ({ text }) => {
    const { child, output, closed } = startShell(text);
    onTestFinished(async () => {
      process.kill(-Number(child.pid));
      await closed;
    });
    await expect.poll(output).toMatch(/event: connected\n.*event: event\nid: \S+\ndata: \{"type":"blocks",/s);
  });

  it.each(run.filter(({ language }) => language === "ts"))("run: $name", async ({ name, text }) => {
    const file = join(modules, `${name.replace(/\W/g, "-")}.ts`);
    writeFileSync(file, atService(text));
    await expect(import(file)).resolves.toBeDefined();
  });

  it.each(run.filter(({ language }) => language === "js"))("run in a browser: $name", async ({ text }) => {
    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const { page } = await Visitor.open(browser, service.origin);
    const printed: string[] = [];
    page.on("console", (message) => printed.push(message.text()));
    await page.goto(`${service.origin}/`);
    // Declarations of the page live as long as the page.
    await page.evaluate(`{ ${atService(text)} }`);
    const [address] = text.match(/EQ[\w-]{46}/) ?? [];
    const isPrinted = async () => {
      await runShell(`tongate faucet ${address} --amount 1`);
      return printed.length > 0;
    };
    await expect.poll(isPrinted).toBe(true);
  });

  it.each(run.filter(({ answerOf }) => answerOf !== undefined))(
    "are real answers: $name",
    async ({ text, answerOf }) => {
      const response = await fetch(`${service.origin}${answerOf}`);
      const [shown, sent] = [JSON.parse(text), Object(await response.json())];
      // It contains the time of the answer.
      const extra = Object.hasOwn(sent, "@extra") ? { "@extra": expect.stringMatching(/^[0-9]+:_:[0-9.]+$/) } : {};
      expect([shown, sent]).toEqual([{ ...sent, ...extra }, sent]);
    },
  );

  const messages = run.filter(({ language, text }) => language === "json" && /"operation"/.test(text));

  it.each(messages)("are accepted by the stream: $name", async ({ text }) => {
    const client = new WsClient(`${service.origin}/api/streaming/v2/ws`);
    onTestFinished(() => client.close());
    await client.opened;
    client.send(JSON.parse(text));
    await expect.poll(() => client.received.length).toBeGreaterThan(0);
    expect(client.received[0]).toMatchObject({ id: JSON.parse(text).id, status: "subscribed" });
  });

  /** A file for `--scope`, which names accounts by what they are. */
  const isScope = ({ language, text }: DocumentBlock) => language === "json" && /"accounts":/.test(text);

  it.each(run.filter(isScope))("are scopes of an index: $name", ({ text }) => {
    expect(parseScope(text, { isTest: false }).accounts).toHaveLength(JSON.parse(text).accounts.length);
  });

  const settings = run.filter(
    (block) =>
      block.language === "json" && block.answerOf === undefined && !/"operation"/.test(block.text) && !isScope(block),
  );

  it.each(settings)("are settings of the program: $name", ({ text }) => {
    const names = Object.keys(JSON.parse(text));
    expect(names.filter((name) => !Object.hasOwn(options, name))).toEqual([]);
    const { config } = loadConfig([], { environment: {}, findFile: () => text });
    expect(config.network.length).toBeGreaterThan(0);
  });
});

describe("the guides", () => {
  it.each(guides)("name only metrics and variables of the program: %s", (name) => {
    const text = readFileSync(join(root, "docs", name), "utf8");
    const explained = new Set(readFileSync(join(root, "OPERATING.md"), "utf8").match(/tongate_[a-z0-9_]*[a-z0-9]/g));
    expect((text.match(/\btongate_[a-z0-9_]*[a-z0-9]/g) ?? []).filter((metric) => !explained.has(metric))).toEqual([]);
    const variables = new Set(Object.keys(options).flatMap((each) => [variableOf(each), `${variableOf(each)}_FILE`]));
    expect((text.match(/TONGATE_[A-Z_]*[A-Z]/g) ?? []).filter((variable) => !variables.has(variable))).toEqual([]);
  });

  it("list settings of this program as equivalents of other programs' settings", () => {
    const rows = readFileSync(join(root, "docs/migrating.md"), "utf8")
      .split("\n")
      .filter((line) => line.startsWith("| "));
    const counterparts = rows.map((row) => row.split("|").at(-2) ?? "");
    const flags = counterparts.flatMap((text) => text.match(/--[a-z][a-z-]+/g) ?? []);
    const known = new Set(["--no-index", "--config", ...Object.keys(options).map(flagOf)]);
    expect(flags.length).toBeGreaterThan(30);
    expect(flags.filter((flag) => !known.has(flag))).toEqual([]);
  });
});
