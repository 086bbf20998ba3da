import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Measurements, serveAttacked } from "../kit/attacks/attackedProcess.ts";
import { openHalfWay } from "../kit/attacks/halfOpenAdnl.ts";
import { emulateManyMessages } from "../kit/attacks/manyMessages.ts";
import { pipelineUnread } from "../kit/attacks/pipelineUnread.ts";
import { keepUpgrades, resetUpgrades } from "../kit/attacks/resetUpgrades.ts";
import { sharedCellsAttacks } from "../kit/attacks/sharedCells.ts";
import { sharedStackAttacks } from "../kit/attacks/sharedStacks.ts";
import { sendSlowBodies } from "../kit/attacks/slowBodies.ts";
import { readSnapshot } from "../kit/attacks/snapshotReaders.ts";
import { leaveLargeAnswers } from "../kit/attacks/unreadAnswers.ts";
import { streamSocketAttacks, webSocketAttacks } from "../kit/attacks/webSockets.ts";
import type { Benchmark } from "./kit/benchmark.ts";

/** An attack on a server; returns how to end what it goes on holding. */
type Attack = (origin: string) => Promise<unknown>;

/** An attack on a server with a lite port. */
interface LiteAttack {
  readonly onLitePort: Attack;
}

const program = {
  cli: join(import.meta.dirname, "../src/app/cli.js"),
  probe: join(import.meta.dirname, "../kit/attacks/probe.js"),
};

const maxPieceMs = 50;
const maxHeldMegabytes = 150;
/** What a server does after an attack began, such as answering what it read, counts as well. */
const afterMs = 3_000;

const heavyTraces: Attack = async (origin) => {
  const ask = () => fetch(`${origin}/api/v3/traces?limit=1000&include_actions=true`).then((answer) => answer.text());
  for (let round = 0; round < 5; round++) await Promise.all([ask(), ask(), ask()]);
};

const attacks: Readonly<Record<string, Attack | LiteAttack>> = {
  "upgrades that are reset": (origin) => resetUpgrades(origin, 50),
  "upgrades that stay open": (origin) => keepUpgrades(origin, 50),
  "pipelined requests never read": (origin) =>
    pipelineUnread(origin, { connections: 200, requests: 500, path: "/api/v2/healthcheck" }),
  "slow bodies": (origin) => sendSlowBodies(origin, { connections: 1_000, bytes: 1_000_000 }),
  "traces with actions, a thousand each": heavyTraces,
  ...webSocketAttacks,
  ...streamSocketAttacks,
  ...sharedCellsAttacks,
  ...sharedStackAttacks,
  "an emulated trace of 30,000 messages": emulateManyMessages,
  "readers of a snapshot that stop reading": readSnapshot,
  "large answers never read": leaveLargeAnswers,
  "connections to the lite port that send nothing": { onLitePort: openHalfWay },
};

interface Outcome {
  readonly worstPieceMs: number;
  readonly heldMegabytes: number;
}

/** Runs an attack on a server of its own, after one that only loads and compiles what it uses. */
async function attackOnce(attack: Attack, litePort: string): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "tongate-attacks-"));
  const server = await serveAttacked(program, ["--data", folder, "--lite-port", litePort, "--block-ms", "1000"]);
  try {
    while ((await fetch(`${server.origin}/readyz`)).status !== 200) await setTimeout(100);
    await endAttack(await attack(server.origin));
    await setTimeout(afterMs);
    const idle = await server.measure();
    const end = await attack(server.origin);
    await setTimeout(afterMs);
    const after = await server.measure();
    endAttack(end);
    return outcomeOf(idle, after);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function endAttack(end: unknown): void {
  if (typeof end === "function") end();
}

function outcomeOf(idle: Measurements, { worstPieceMs, highestBytes }: Measurements): Outcome {
  return { worstPieceMs, heldMegabytes: Math.max(0, highestBytes - idle.residentBytes) / 1e6 };
}

function rowsOf([name, attack]: readonly [string, Attack | LiteAttack]): readonly Benchmark[] {
  let running: Promise<Outcome> | undefined;
  const begin = () => (typeof attack === "function" ? attackOnce(attack, "off") : attackOnce(attack.onLitePort, "0"));
  const outcome = () => (running ??= begin());
  const row = (what: string, unit: string, baseline: string, limit: number, pick: (of: Outcome) => number) => ({
    name: `${name}: ${what}`,
    group: "attacks",
    unit,
    baseline,
    mark: 1,
    measure: async () => {
      const value = pick(await outcome());
      return { value, ratio: limit / Math.max(value, 0.01) };
    },
  });
  return [
    row("longest piece", "ms of CPU", `${maxPieceMs} ms`, maxPieceMs, ({ worstPieceMs }) => worstPieceMs),
    row("held over idle", "MB", `${maxHeldMegabytes} MB`, maxHeldMegabytes, ({ heldMegabytes }) => heldMegabytes),
  ];
}

export const benchmarks: readonly Benchmark[] = Object.entries(attacks).flatMap(rowsOf);
