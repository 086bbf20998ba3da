import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import chromium from "@sparticuz/chromium";
import { chromium as playwright } from "playwright-core";
import type { BenchContext, Benchmark } from "./kit/benchmark.ts";
import { treeCpu } from "./kit/treeCpu.ts";

/** The checkout that this was compiled from. */
const root = join(import.meta.dirname, "../..");

/** What a first-time user waits for: CPU of `npm ci` and of `npm start`, and the seconds that the browser takes. */
interface FirstMinute {
  readonly install: number;
  readonly v2: number;
  readonly v3: number;
  readonly page: number;
}

const patienceMs = 300_000;
const port = 18_081;
const origin = `http://127.0.0.1:${port}`;

/** Clones the checkout, installs, starts, opens the page, takes coins, sends a transfer and sees its trace. */
async function runFirstMinute(): Promise<FirstMinute> {
  const folder = mkdtempSync(join(tmpdir(), "tongate-first-"));
  const clone = join(folder, "tongate");
  try {
    runStep("git", ["clone", "--quiet", root, clone], folder);
    const install = await childCpu("npm", ["ci", "--no-audit", "--no-fund", "--prefer-offline"], clone);
    const server = spawn(
      "npm",
      ["start", "--", "--port", String(port), "--data", join(folder, "data"), "--lite-port", "off"],
      {
        cwd: clone,
        stdio: "ignore",
        detached: true,
      },
    );
    try {
      const id = server.pid ?? 0;
      await answers("/api/v2/getMasterchainInfo", ({ ok }) => ok === true);
      const v2 = treeCpu(id);
      await answers("/api/v3/actions?limit=1", ({ actions }) => Array.isArray(actions) && actions.length > 0);
      const v3 = treeCpu(id);
      return { install, v2, v3, page: await usePage() };
    } finally {
      if (server.pid !== undefined) process.kill(-server.pid, "SIGINT");
      await once(server, "exit");
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runStep(command: string, args: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
}

/** CPU seconds of a command with all that it starts, read until it ends. */
async function childCpu(command: string, args: readonly string[], cwd: string): Promise<number> {
  const child = spawn(command, args, { cwd, stdio: "ignore" });
  const ended = once(child, "exit");
  let used = 0;
  for (let isOver = false; !isOver; ) {
    used = Math.max(used, treeCpu(child.pid ?? 0));
    isOver = await Promise.race([ended.then(() => true), setTimeout(50, false)]);
  }
  if (child.exitCode !== 0) throw new Error(`${command} ended with ${child.exitCode}`);
  return used;
}

async function answers(path: string, isThere: (body: Readonly<Record<string, unknown>>) => boolean): Promise<void> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const found = await fetch(`${origin}${path}`).then(
      async (response) => response.status === 200 && isThere(Object(await response.json())),
      () => false,
    );
    if (found) return;
    if (performance.now() > end) throw new Error(`${path} did not answer in time`);
    await setTimeout(20);
  }
}

/** Seconds from opening the page to the trace of a transfer, with coins from the faucet in between. */
async function usePage(): Promise<number> {
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: ["--no-sandbox", "--no-zygote", "--disable-dev-shm-usage", "--in-process-gpu", "--use-angle=swiftshader"],
  });
  try {
    const page = await browser.newPage();
    const startedAt = performance.now();
    const { result } = Object(await (await fetch(`${origin}/localnet/wallets`)).json());
    await page.goto(`${origin}/explorer/local`);
    const faucet = page.getByRole("region", { name: "Faucet" });
    await faucet.getByLabel("Address").fill(result[1].address);
    await faucet.getByRole("button", { name: "Give" }).click();
    await faucet.getByRole("link", { name: "See the transaction" }).waitFor();
    const transfer = page.getByRole("region", { name: "Transfer" });
    await transfer.getByLabel("To").fill(result[1].address);
    await transfer.getByRole("button", { name: "Send" }).click();
    await transfer.getByRole("link", { name: "See the transaction" }).click();
    await page.locator(".node").first().waitFor();
    return (performance.now() - startedAt) / 1000;
  } finally {
    await browser.close();
  }
}

let run: Promise<FirstMinute> | undefined;

interface Line {
  readonly name: string;
  readonly max: number | undefined;
  readonly read: (firstMinute: FirstMinute) => number;
}

const lines: readonly Line[] = [
  { name: "CPU of npm start to v2", max: 3, read: ({ v2 }) => v2 },
  { name: "CPU of npm start to v3 with actions", max: 8, read: ({ v3 }) => v3 },
  { name: "CPU of npm ci", max: undefined, read: ({ install }) => install },
  { name: "page, faucet, transfer, trace", max: undefined, read: ({ page }) => page },
];

/** The minute of a first-time user, in a new clone; its lines share one run. */
export function benchmarks({ leaveOut }: BenchContext): readonly Benchmark[] {
  if (!existsSync("/proc/self/stat")) {
    leaveOut("CPU of processes is read from /proc, which this system lacks");
    return [];
  }
  return lines.map(({ name, max, read }) => ({
    ...{ name, group: "first minute", unit: "s", mark: max === undefined ? undefined : 1 },
    baseline: max === undefined ? "no mark" : `at most ${max} s`,
    measure: async () => {
      run ??= runFirstMinute();
      const value = read(await run);
      return { value, ratio: max === undefined ? 1 : max / value };
    },
  }));
}
