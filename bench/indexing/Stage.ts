import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NetworkKind, NetworkNote, ProgramNote, Used } from "./messages.ts";

export interface StageOptions {
  readonly network: NetworkKind;
  readonly command: "index" | "serve";
  /** Options of the command, besides network and folder. */
  readonly options: readonly string[];
}

/** A network and the program, each in its own process, for the duration of a measurement. */
export class Stage {
  readonly #folder: string;
  readonly #network: ChildProcess;
  readonly #program: ChildProcess;
  readonly headSeqno: number;
  /** URLs of the service. */
  readonly origins: readonly string[];
  /** Times at which blocks became the newest, by seqno. */
  readonly reportedAtMs = new Map<number, number>();

  private constructor(
    folder: string,
    processes: readonly [ChildProcess, ChildProcess],
    { headSeqno, origins }: Pick<Stage, "headSeqno" | "origins">,
  ) {
    this.#folder = folder;
    [this.#network, this.#program] = processes;
    this.headSeqno = headSeqno;
    this.origins = origins;
    this.#network.on("message", (note: NetworkNote) => {
      if (note.kind === "head") this.reportedAtMs.set(note.seqno, note.atMs);
    });
  }

  static async open({ network, command, options }: StageOptions): Promise<Stage> {
    const folder = mkdtempSync(join(tmpdir(), "tongate-bench-"));
    const lite = start("networkProcess", [JSON.stringify(network)]);
    const { globalConfig, headSeqno } = await nextMessage<NetworkNote, "ready">(lite, "ready");
    const file = join(folder, "global.config.json");
    writeFileSync(file, globalConfig);
    // A recorded chain has no signatures up to its last block.
    const trust = network.kind === "recorded" ? ["--trust"] : [];
    const common = ["--network", file, "--data", folder, "--from", "genesis", "--log-level", "error"];
    const program = start("programProcess", [command, ...common, ...trust, ...options]);
    const { origins } = await nextMessage<ProgramNote, "running">(program, "running");
    return new Stage(folder, [lite, program], { headSeqno, origins });
  }

  async used(): Promise<Used> {
    const answer = nextMessage<ProgramNote, "used">(this.#program, "used");
    this.#program.send("used");
    return (await answer).used;
  }

  async close(): Promise<void> {
    const gone = [this.#program, this.#network].map((each) => new Promise((resolve) => each.once("exit", resolve)));
    for (const each of [this.#program, this.#network]) each.disconnect();
    await Promise.all(gone);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function start(name: string, args: readonly string[]): ChildProcess {
  return fork(join(import.meta.dirname, `${name}.js`), [...args], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
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
