import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";
import { isMainThread } from "node:worker_threads";

/**
 * When a process kills itself like `kill -9`: before or after a packet that it sends to a port, a file write of one of
 * its threads, or a change of names in a folder by its main thread.
 */
export type KillPoint = { readonly nth: number; readonly moment: "before" | "after" } & (
  | { readonly kind: "packet"; readonly port: number }
  | { readonly kind: "file" }
  | { readonly kind: "names"; readonly folder: string }
);

/** The environment variable that holds the kill point; the program itself does not know it. */
export const killVariable = "KILL_SWITCH";

function arm(point: KillPoint): void {
  let left = point.nth;
  const step = <T>(work: () => T): T => {
    left -= 1;
    if (left === 0 && point.moment === "before") process.kill(process.pid, "SIGKILL");
    const done = work();
    if (left === 0) process.kill(process.pid, "SIGKILL");
    return done;
  };
  if (point.kind === "packet" && isMainThread) {
    const { write } = Socket.prototype;
    const counted = function (this: Socket, ...args: Parameters<Socket["write"]>): boolean {
      const send = () => write.apply(this, args);
      return this.remotePort === point.port ? step(send) : send();
    };
    Socket.prototype.write = counted as Socket["write"];
  }
  if (point.kind === "file" && !isMainThread) {
    const { writeSync } = fs;
    fs.writeSync = ((...args: Parameters<typeof writeSync>) => step(() => writeSync(...args))) as typeof writeSync;
  }
  if (point.kind === "names" && isMainThread) {
    for (const name of ["renameSync", "rmSync", "mkdirSync"] as const) {
      const change = fs[name] as (path: string, ...more: unknown[]) => unknown;
      const counted = (path: string, ...more: unknown[]) => {
        const work = () => change(path, ...more);
        return String(path).startsWith(point.folder) ? step(work) : work();
      };
      Object.assign(fs, { [name]: counted });
    }
    // The program imports these by name.
    syncBuiltinESMExports();
  }
}

// Only when configured: tests import the types of this file.
const asked = process.env[killVariable];
if (asked !== undefined) arm(JSON.parse(asked) as KillPoint);
