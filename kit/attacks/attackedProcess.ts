import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type ServedProcess, type ServedProcessOptions, serveProcess } from "../api/servedProcess.ts";
import type { CompiledApp } from "../suite/compiledApp.ts";

/** What the attacked process measured in itself since the last look. */
export interface Measurements {
  /** The longest piece of work on the event loop, in milliseconds of CPU of the main thread. */
  readonly worstPieceMs: number;
  /** All CPU of the main thread since its start, in milliseconds. */
  readonly cpuMs: number;
  /** The share of the time in which the event loop was not idle; a busy machine does not change it. */
  readonly busyShare: number;
  /** The highest resident memory. */
  readonly highestBytes: number;
  /** Resident memory now, after a collection. */
  readonly residentBytes: number;
  /** Heap in use and memory outside the heap now, after a collection. */
  readonly liveBytes: number;
}

/** The program, serving in its own process, which measures itself. */
export interface AttackedProcess extends ServedProcess {
  /** What happened since the last call. */
  measure(): Promise<Measurements>;
}

/** Starts `serve` like `serveProcess`, with a probe inside. */
export async function serveAttacked(
  app: Pick<CompiledApp, "cli" | "probe">,
  flags: readonly string[],
  { environment = {}, ...options }: ServedProcessOptions = {},
): Promise<AttackedProcess> {
  const folder = mkdtempSync(join(tmpdir(), "tongate-probe-"));
  const socket = join(folder, "probe");
  const served = await serveProcess(app, flags, {
    ...options,
    environment: { ...environment, ATTACK_PROBE: socket, NODE_OPTIONS: `--import=${app.probe}` },
  });
  const measure = async () => JSON.parse(await text(connect(socket))) as Measurements;
  const clean = () => rmSync(folder, { recursive: true, force: true });
  return {
    ...served,
    measure,
    stop: (signal) => served.stop(signal).finally(clean),
    kill: () => served.kill().finally(clean),
  };
}
