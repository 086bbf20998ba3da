import type { ChildProcess } from "node:child_process";
import { endProcesses, nextMessage, startProcess } from "./childProcess.ts";
import type { NetworkKind, NetworkNote } from "./messages.ts";

/** A chain that a process of its own serves. */
export class ServedChain {
  readonly #process: ChildProcess;
  readonly globalConfig: string;
  /** The newest block when the network was ready. */
  readonly headSeqno: number;
  /** Whether the chain has signatures up to its last block; a recorded one has not. */
  readonly isSigned: boolean;
  /** Times at which blocks became the newest, by seqno. */
  readonly reportedAtMs = new Map<number, number>();

  private constructor(
    process: ChildProcess,
    { globalConfig, headSeqno, isSigned }: Pick<ServedChain, "globalConfig" | "headSeqno" | "isSigned">,
  ) {
    this.#process = process;
    this.globalConfig = globalConfig;
    this.headSeqno = headSeqno;
    this.isSigned = isSigned;
    process.on("message", (note: NetworkNote) => {
      if (note.kind === "head") this.reportedAtMs.set(note.seqno, note.atMs);
    });
  }

  static async open(kind: NetworkKind): Promise<ServedChain> {
    const process = startProcess("networkProcess", [JSON.stringify(kind)]);
    const ready = await nextMessage<NetworkNote, "ready">(process, "ready");
    return new ServedChain(process, { ...ready, isSigned: kind.kind !== "recorded" });
  }

  close(): Promise<void> {
    return endProcesses([this.#process]);
  }
}
