import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NetworkKind, NetworkNote, ProgramNote, ProgramRequest, Used } from "./messages.ts";

export interface StageOptions {
  readonly network: NetworkKind;
  readonly command: "index" | "serve";
  /** Options of the command, besides network and folder. */
  readonly options: readonly string[];
  /** Number of processes of the program; 1 by default. */
  readonly programs?: number;
}

/** A network and one or more programs, each in its own process, for the duration of a measurement. */
export class Stage {
  readonly #folder: string;
  readonly #network: ChildProcess;
  readonly #programs: readonly ChildProcess[];
  /** Options of the command for each start of the program. */
  readonly #argsFor: (options: readonly string[], index: number) => readonly string[];
  #starts = 1;
  readonly headSeqno: number;
  /** URLs of the service. */
  readonly origins: readonly string[];
  /** Times at which blocks became the newest, by seqno. */
  readonly reportedAtMs = new Map<number, number>();

  private constructor(
    folder: string,
    processes: readonly [network: ChildProcess, ...programs: ChildProcess[]],
    argsFor: (options: readonly string[], index: number) => readonly string[],
    { headSeqno, origins }: Pick<Stage, "headSeqno" | "origins">,
  ) {
    this.#folder = folder;
    this.#argsFor = argsFor;
    [this.#network, ...this.#programs] = processes;
    this.headSeqno = headSeqno;
    this.origins = origins;
    this.#network.on("message", (note: NetworkNote) => {
      if (note.kind === "head") this.reportedAtMs.set(note.seqno, note.atMs);
    });
  }

  static async open({ network, command, options, programs = 1 }: StageOptions): Promise<Stage> {
    const folder = mkdtempSync(join(tmpdir(), "tongate-bench-"));
    const lite = start("networkProcess", [JSON.stringify(network)]);
    const { globalConfig, headSeqno } = await nextMessage<NetworkNote, "ready">(lite, "ready");
    const file = join(folder, "global.config.json");
    writeFileSync(file, globalConfig);
    // A recorded chain has no signatures up to its last block.
    const trust = network.kind === "recorded" ? ["--trust"] : [];
    const common = ["--network", file, "--from", "genesis", "--log-level", "error", ...trust];
    const argsFor = (own: readonly string[], index: number) => [
      ...["--data", join(folder, String(index)), ...common],
      ...own,
    ];
    const started = Array.from({ length: programs }, (_, index) =>
      start("programProcess", [command, ...argsFor(options, index)]),
    );
    const running = await Promise.all(started.map((each) => nextMessage<ProgramNote, "running">(each, "running")));
    const origins = running.flatMap((each) => each.origins);
    return new Stage(folder, [lite, ...started], argsFor, { headSeqno, origins });
  }

  /** Closes the programs and opens them again with other options and empty folders, in the same processes. */
  async restart(options: readonly string[]): Promise<void> {
    const first = this.#programs.length * this.#starts++;
    const started = this.#programs.map((program, index) => {
      const running = nextMessage<ProgramNote, "running">(program, "running");
      request(program, { kind: "restart", args: this.#argsFor(options, first + index) });
      return running;
    });
    await Promise.all(started);
  }

  /** CPU time of all programs, and the memory of the largest. */
  async used(): Promise<Used> {
    const each = this.#programs.map(async (program) => {
      const answer = nextMessage<ProgramNote, "used">(program, "used");
      request(program, { kind: "used" });
      return (await answer).used;
    });
    const all = await Promise.all(each);
    return {
      cpuSeconds: all.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
      megabytes: Math.max(...all.map(({ megabytes }) => megabytes)),
    };
  }

  async close(): Promise<void> {
    const all = [...this.#programs, this.#network];
    const gone = all.map((each) => new Promise((resolve) => each.once("exit", resolve)));
    for (const each of all) each.disconnect();
    await Promise.all(gone);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function start(name: string, args: readonly string[]): ChildProcess {
  // The program refuses unknown variables with its prefix, such as those of the benchmarks.
  const env = Object.fromEntries(Object.entries(process.env).filter(([variable]) => !variable.startsWith("TONGATE_")));
  const program = join(import.meta.dirname, `${name}.js`);
  return fork(program, [...args], { env, stdio: ["ignore", "ignore", "inherit", "ipc"] });
}

function request(program: ChildProcess, message: ProgramRequest): void {
  program.send(message);
}

/** The next message of a kind; rejects if the process exits before. */
function nextMessage<N extends { readonly kind: string }, K extends N["kind"]>(
  from: ChildProcess,
  kind: K,
): Promise<Extract<N, { readonly kind: K }>> {
  return new Promise((resolve, reject) => {
    const hear = (note: N) => {
      if (note.kind === kind) settle(() => resolve(note as Extract<N, { readonly kind: K }>));
    };
    const end = (code: number | null) => settle(() => reject(new Error(`a process exited with ${code}`)));
    const settle = (how: () => void) => {
      from.off("message", hear).off("exit", end);
      how();
    };
    from.on("message", hear).on("exit", end);
  });
}
