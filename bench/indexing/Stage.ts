import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endProcesses, nextMessage, startProcess } from "./childProcess.ts";
import type { NetworkKind, ProgramNote, ProgramRequest, Used } from "./messages.ts";
import { ServedChain } from "./ServedChain.ts";

export interface StageOptions {
  /** A network that lives as long as the stage, or one that is open and stays so. */
  readonly network: NetworkKind | ServedChain;
  readonly command: "index" | "serve";
  /** Options of the command, besides network and folder. */
  readonly options: readonly string[];
  /** Number of processes of the program; 1 by default. */
  readonly programs?: number;
}

/** A network and one or more programs, each in its own process, for the duration of a measurement. */
export class Stage {
  readonly #folder: string;
  readonly #network: ServedChain;
  /** What ends with the stage. */
  readonly #closeNetwork: () => Promise<void>;
  readonly #programs: readonly ChildProcess[];
  /** Options of the command for each start of the program. */
  readonly #argsFor: (options: readonly string[], index: number) => readonly string[];
  #starts = 1;
  /** URLs of the service. */
  readonly origins: readonly string[];

  private constructor(
    folder: string,
    network: { readonly process: ServedChain; readonly close: () => Promise<void> },
    programs: { readonly processes: readonly ChildProcess[]; readonly origins: readonly string[] },
    argsFor: (options: readonly string[], index: number) => readonly string[],
  ) {
    this.#folder = folder;
    this.#argsFor = argsFor;
    this.#network = network.process;
    this.#closeNetwork = network.close;
    this.#programs = programs.processes;
    this.origins = programs.origins;
  }

  get headSeqno(): number {
    return this.#network.headSeqno;
  }

  /** Times at which blocks became the newest, by seqno. */
  get reportedAtMs(): ReadonlyMap<number, number> {
    return this.#network.reportedAtMs;
  }

  static async open({ network, command, options, programs = 1 }: StageOptions): Promise<Stage> {
    const folder = mkdtempSync(join(tmpdir(), "tongate-bench-"));
    const servedChain = network instanceof ServedChain ? network : undefined;
    const process = servedChain ?? (await ServedChain.open(network as NetworkKind));
    const close = servedChain === undefined ? () => process.close() : async () => {};
    const file = join(folder, "global.config.json");
    writeFileSync(file, process.globalConfig);
    const trust = process.isSigned ? [] : ["--trust"];
    const common = ["--network", file, "--from", "genesis", "--log-level", "error", ...trust];
    const argsFor = (own: readonly string[], index: number) => [
      ...["--data", join(folder, String(index)), ...common],
      ...own,
    ];
    const started = Array.from({ length: programs }, (_, index) =>
      startProcess("programProcess", [command, ...argsFor(options, index)]),
    );
    const running = await Promise.all(started.map((each) => nextMessage<ProgramNote, "running">(each, "running")));
    const origins = running.flatMap((each) => each.origins);
    return new Stage(folder, { process, close }, { processes: started, origins }, argsFor);
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
    await endProcesses(this.#programs);
    await this.#closeNetwork();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function request(program: ChildProcess, message: ProgramRequest): void {
  program.send(message);
}
