import { closeSync, openSync, rmSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { join } from "node:path";
import type { Clock } from "../clock.ts";

/** What the socket of a process says of it. */
export type LockState = "owner" | "candidate";

export interface LockSocket {
  /** Answers "owner" from now on. */
  own(): void;
  close(): void;
}

/** The longest path that systems take for a socket, with some reserve. */
const longestPath = 100;
const answerMs = 2_000;

/**
 * Nobody listens, or the listener is just closing; any other failure, such as missing permission, means that it lives.
 */
const failures: ReadonlyMap<string, LockState | "gone"> = new Map([
  ["ECONNREFUSED", "gone"],
  ["ENOENT", "gone"],
  ["ENOTSOCK", "gone"],
  ["ECONNRESET", "candidate"],
  ["EPIPE", "candidate"],
]);

/** Listens on a socket in a folder; `undefined` where the file system has no sockets. */
export async function listenOnLock(folder: string, name: string): Promise<LockSocket | undefined> {
  const place = openPlace(folder, name);
  let state: LockState = "candidate";
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.end(state);
  });
  const isListening = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(place.path, () => resolve(true));
  });
  if (!isListening) {
    place.close();
    return undefined;
  }
  // A connection that cannot be accepted is no reason to end.
  server.on("error", () => {});
  server.unref();
  return {
    own: () => {
      state = "owner";
    },
    close: () => {
      server.close();
      rmSync(join(folder, name), { force: true });
      place.close();
    },
  };
}

/** Whether a process listens on a socket, and its answer. One that does not answer is taken for an owner. */
export async function askLockSocket(folder: string, name: string, clock: Clock): Promise<LockState | "gone"> {
  const place = openPlace(folder, name);
  try {
    return await new Promise<LockState | "gone">((resolve) => {
      const socket = createConnection(place.path);
      let answer = "";
      const cancel = clock.timer(answerMs, () => end("owner"));
      const end = (state: LockState | "gone"): void => {
        cancel();
        socket.destroy();
        resolve(state);
      };
      socket.on("error", ({ code = "" }: NodeJS.ErrnoException) => end(failures.get(code) ?? "owner"));
      socket.on("data", (text) => {
        answer += String(text);
      });
      socket.on("close", () => end(answer === "owner" ? "owner" : "candidate"));
    });
  } finally {
    place.close();
  }
}

/** The path of a socket; a long one is reached through an open folder. */
function openPlace(folder: string, name: string): { readonly path: string; close(): void } {
  const path = join(folder, name);
  if (Buffer.byteLength(path) <= longestPath || process.platform !== "linux") return { path, close: () => {} };
  const opened = openSync(folder, "r");
  return { path: `/proc/self/fd/${opened}/${name}`, close: () => closeSync(opened) };
}
