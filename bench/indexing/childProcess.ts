import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";

/** Starts a program of this folder. */
export function startProcess(name: string, args: readonly string[]): ChildProcess {
  // The program refuses unknown variables with its prefix, such as those of the benchmarks.
  const env = Object.fromEntries(Object.entries(process.env).filter(([variable]) => !variable.startsWith("TONGATE_")));
  const program = join(import.meta.dirname, `${name}.js`);
  return fork(program, [...args], { env, stdio: ["ignore", "ignore", "inherit", "ipc"] });
}

/** Lets processes end and waits for them. */
export async function endProcesses(processes: readonly ChildProcess[]): Promise<void> {
  const gone = processes.map((each) => new Promise((resolve) => each.once("exit", resolve)));
  for (const each of processes) each.disconnect();
  await Promise.all(gone);
}

/** The next message of a kind; rejects if the process exits before. */
export function nextMessage<N extends { readonly kind: string }, K extends N["kind"]>(
  from: ChildProcess,
  kind: K,
): Promise<Extract<N, { readonly kind: K }>> {
  return new Promise((resolve, reject) => {
    const hear = (note: N) => {
      if (note.kind === kind) finish(() => resolve(note as Extract<N, { readonly kind: K }>));
    };
    const end = (code: number | null) => finish(() => reject(new Error(`a process exited with ${code}`)));
    const finish = (how: () => void) => {
      from.off("message", hear).off("exit", end);
      how();
    };
    from.on("message", hear).on("exit", end);
  });
}
