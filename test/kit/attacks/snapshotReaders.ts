import { connect, type Socket } from "node:net";

/** Readers of an exported snapshot that take a little and then nothing more. */
export interface SnapshotReaders {
  /** Bytes that all readers got so far. */
  readonly received: () => number;
  close(): void;
}

/** Opens connections that each ask for a whole snapshot and stop reading. */
export async function readSlowly(origin: string, name: string, count: number): Promise<SnapshotReaders> {
  const { hostname, port } = new URL(origin);
  let received = 0;
  const open = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      socket.once("error", reject);
      socket.once("data", (bytes) => {
        received += bytes.length;
        socket.pause();
        resolve(socket);
      });
      socket.write(`GET /localnet/exportSnapshot?name=${name} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
    });
  const sockets = await Promise.all(Array.from({ length: count }, open));
  return {
    received: () => received,
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
