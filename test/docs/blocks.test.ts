import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig, options } from "../../src/app/config.ts";
import { type ServedProcess, serveProcess } from "../kit/api/servedProcess.ts";
import { type DocumentBlock, listBlocks } from "../kit/deploy/documentBlocks.ts";
import { type CompiledApp, compileApp } from "../kit/suite/compiledApp.ts";

const root = join(import.meta.dirname, "../..");
const guides = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
const documents = ["README.md", ...guides.map((name) => `docs/${name}`)];
const blocks = documents.flatMap((name) =>
  listBlocks(readFileSync(join(root, name), "utf8")).map((block) => ({ name: `${name}:${block.line}`, ...block })),
);
const run = blocks.filter(({ notRun }) => notRun === undefined);
const isShell = ({ language }: DocumentBlock) => language === "sh";

let app: CompiledApp;
let service: ServedProcess;
const folder = mkdtempSync(join(tmpdir(), "tongate-docs-"));
const modules = join(root, "node_modules", ".cache", `tongate-docs-${process.pid}`);

beforeAll(async () => {
  mkdirSync(modules, { recursive: true });
  app = await compileApp();
  service = await serveProcess(app, ["--data", join(folder, "data"), "--demo", "off"]);
  while ((await fetch(`${service.origin}/readyz`)).status !== 200) await setTimeout(100);
  mkdirSync(join(folder, "bin"));
  const program = `#!/bin/sh\nexec ${process.execPath} ${app.cli} "$@"\n`;
  writeFileSync(join(folder, "bin", "tongate"), program, { mode: 0o755 });
});

afterAll(async () => {
  await service.stop();
  app.remove();
  rmSync(folder, { recursive: true });
  rmSync(modules, { recursive: true });
});

/** Documents use the default address; the server of this test has another port. */
function atService(text: string): string {
  return text.replaceAll("http://127.0.0.1:8081", service.origin);
}

async function runShell(text: string): Promise<{ readonly code: number | null; readonly output: string }> {
  const env = {
    PATH: `${join(folder, "bin")}:${process.env.PATH}`,
    TONGATE_PORT: new URL(service.origin).port,
    TONGATE_DATA: join(folder, "data"),
  };
  const child = spawn("bash", ["-euo", "pipefail", "-c", atService(text)], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (more) => (output += more));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}

describe("the blocks of README and docs/", () => {
  it("say why where no test runs them, and are of a kind that can be run where one does", () => {
    expect(blocks.length).toBeGreaterThan(20);
    expect(run.filter(({ language }) => !["sh", "ts", "json", "js", "html", "yaml"].includes(language))).toEqual([]);
    expect(blocks.filter(({ notRun }) => notRun !== undefined && notRun.length < 10)).toEqual([]);
  });

  it.each(run.filter(isShell))("run: $name", async ({ text }) => {
    const { code, output } = await runShell(text);
    expect([code, output]).toEqual([0, output]);
  });

  it.each(run.filter(({ language }) => language === "ts"))("run: $name", async ({ name, text }) => {
    const file = join(modules, `${name.replace(/\W/g, "-")}.ts`);
    writeFileSync(file, atService(text));
    await expect(import(file)).resolves.toBeDefined();
  });

  it.each(run.filter(({ language }) => language === "json"))("parse: $name", ({ text }) => {
    const value: Readonly<Record<string, unknown>> = JSON.parse(text);
    if (!Object.keys(value).every((key) => Object.hasOwn(options, key))) return;
    const { config } = loadConfig([], { environment: {}, findFile: () => text });
    expect(config.network.length).toBeGreaterThan(0);
  });
});
