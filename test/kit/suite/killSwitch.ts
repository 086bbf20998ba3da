import fs from "node:fs";
import { Socket } from "node:net";
import { isMainThread } from "node:worker_threads";

/**
 * When a process ends itself as `kill -9` would: at one of the packets it sends to a port, or at one of the writes to
 * files that its threads do; before it or after it.
 */
export type KillPoint = { readonly nth: number; readonly moment: "before" | "after" } & (
  | { readonly kind: "packet"; readonly port: number }
  | { readonly kind: "file" }
);

/** The variable that says when; the program itself knows nothing of it. */
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

// Only where it was asked for: tests import the types of this file, and nothing should happen to them.
const asked = process.env[killVariable];
if (asked !== undefined) arm(JSON.parse(asked) as KillPoint);
