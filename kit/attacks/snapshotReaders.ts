import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { beginCell } from "../../src/cell/Builder.ts";
import { writeBoc } from "../../src/cell/boc.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { makeAddress } from "../../src/model/Address.ts";
import { askResult } from "./localControls.ts";

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
      socket.on("error", reject);
      socket.once("data", (bytes) => {
        received += bytes.length;
        socket.pause();
        if (bytes.toString("latin1", 0, 13) === "HTTP/1.1 200 ") resolve(socket);
        else reject(new Error(`no snapshot: ${bytes.toString("latin1", 0, 300)}`));
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

/** More than the system holds for the connection of one reader, so that the server has to wait for the reader. */
const leastBytes = 8_000_000;
const accounts = 16;
/** Cells of the data of each account: as much as a request may have. */
const dataCells = 5_000;

interface Snapshot {
  readonly name: string;
  readonly bytes: number;
}

/** Makes a snapshot, after the chain has enough data for one, and reads it slowly; returns a function that ends it. */
export async function readSnapshot(origin: string): Promise<() => void> {
  const known = (await askResult(`${origin}/localnet/snapshots`)) as readonly Snapshot[];
  const { name, bytes } = known.find((each) => each.bytes >= leastBytes) ?? (await makeLargeSnapshot(origin));
  if (bytes < leastBytes) throw new Error(`a snapshot of ${bytes} bytes is too small`);
  return (await readSlowly(origin, name, 20)).close;
}

async function makeLargeSnapshot(origin: string): Promise<Snapshot> {
  for (let number = 0; number < accounts; number++) {
    const address = makeAddress(0, number.toString(16).padStart(64, "b"));
    const data = Buffer.from(writeBoc(randomTree(dataCells))).toString("base64");
    await askResult(`${origin}/localnet/setData`, { address, data });
  }
  return (await askResult(`${origin}/localnet/makeSnapshot`, {})) as Snapshot;
}

/** A tree of full cells that no compression makes smaller. */
function randomTree(cells: number): Cell {
  const builder = beginCell().storeBytes(randomBytes(127));
  for (let left = cells - 1, refs = 4; refs > 0 && left > 0; refs--) {
    const below = Math.ceil(left / refs);
    builder.storeRef(randomTree(below));
    left -= below;
  }
  return builder.cell();
}
