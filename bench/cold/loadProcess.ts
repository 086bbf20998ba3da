import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Load, Loaded } from "./messages.ts";

/* Sends requests one after another over each connection, in its own process, so that its CPU time is not counted. */

/** Reads one answer from an otherwise idle connection. */
function readAnswer(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let [length, due] = [0, -1];
    const read = (chunk: Buffer) => {
      length += chunk.length;
      if (due === -1) {
        const head = chunk.indexOf("\r\n\r\n");
        const text = chunk.toString("latin1", 0, head);
        if (!text.startsWith("HTTP/1.1 200")) reject(new Error(`not answered: ${text.slice(0, 200)}`));
        due = head + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1]);
      }
      if (length >= due) {
        socket.off("data", read);
        resolve();
      }
    };
    socket.on("data", read);
  });
}

/** Enough for any benchmark, whatever its number of requests. */
const keptTimes = 200_000;

async function run({ port, paths, count, connections }: Load): Promise<Loaded> {
  const sockets = Array.from({ length: connections }, () => connect({ port, host: "127.0.0.1", noDelay: true }));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  const times: number[] = [];
  let sent = 0;
  const work = async (socket: Socket) => {
    while (sent < count) {
      const request = requests[sent++ % requests.length] ?? "";
      const startedAt = performance.now();
      const answer = readAnswer(socket);
      socket.write(request);
      await answer;
      if (times.length < keptTimes) times.push(performance.now() - startedAt);
    }
  };
  const startedAt = performance.now();
  await Promise.all(sockets.map(work));
  const wholeMs = performance.now() - startedAt;
  for (const socket of sockets) socket.destroy();
  return { times, wholeMs };
}

process.on("message", (load: Load) => {
  run(load).then((loaded) => process.send?.(loaded));
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
