import fs from "node:fs";
import { Socket } from "node:net";
import { isMainThread } from "node:worker_threads";

/**
 * When a process kills itself like `kill -9`: before or after a packet that it sends to a port, or a file write of one
 * of its threads.
 */
export type KillPoint = { readonly nth: number; readonly moment: "before" | "after" } & (
  | { readonly kind: "packet"; readonly port: number }
  | { readonly kind: "file" }
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
}

// Only when configured: tests import the types of this file.
const asked = process.env[killVariable];
if (asked !== undefined) arm(JSON.parse(asked) as KillPoint);
