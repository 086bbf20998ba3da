import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { systemFiles } from "../../lib/files/FileSystem.ts";
import { writeWhole } from "../../lib/files/writeWhole.ts";
import type { Log } from "../../lib/log.ts";
import { LocalnetError } from "../../localnet/errors.ts";
import type { Localnet } from "../../localnet/network/Localnet.ts";
import type { LocalOffer } from "../../localnet/offer/LocalOffer.ts";
import { type PreparedSnapshot, SnapshotFolder } from "../../localnet/store/SnapshotFolder.ts";
import type { NetworkModules } from "../service/parts/OpenNetwork.ts";

interface SnapshotModules {
  /** Absent if no server serves the network. */
  readonly reopen: NetworkModules["reopen"] | undefined;
  readonly net: Localnet;
  readonly clock: Clock;
  readonly log: Log;
  /** The folder of the chain. */
  readonly folder: string;
  /** The folder of its snapshots. */
  readonly kept: string;
}

/** The folders that this process has opened. */
const begun = new Set<string>();

/** The snapshots of a local network that is served. */
export function openSnapshots({ net, clock, folder, kept, reopen, log }: SnapshotModules): LocalOffer["snapshots"] {
  const snapshots = new SnapshotFolder(kept, { files: systemFiles, log });
  // Once: after a restore the network is opened again, while a snapshot of the chain before may be under way.
  if (!begun.has(kept)) snapshots.removeUnfinished();
  begun.add(kept);
  let isRestoring = false;
  const replace = async (prepare: () => Promise<PreparedSnapshot>): Promise<number> => {
    if (reopen === undefined) throw new LocalnetError("localnet/snapshot", "only tongate serve can restore a snapshot");
    if (isRestoring) throw new LocalnetError("localnet/snapshot", "another snapshot is being restored");
    isRestoring = true;
    try {
      // The chain runs on while the snapshot is checked and unpacked beside it.
      const { seqno, commit } = await prepare();
      await reopen(() => {
        // First, because an index ahead of its chain would be useless.
        new IndexReset(folder).order();
        return commit();
      });
      return seqno;
    } finally {
      isRestoring = false;
    }
  };
  return {
    list: () => snapshots.list(),
    make: (name) => {
      const { id, info } = net.ledger.getMaster(net.ledger.headId.seqno);
      const facts = { seqno: id.seqno, chainTime: info.genUtime, madeAt: Math.floor(clock.now() / 1_000) };
      return snapshots.make(name ?? `block-${id.seqno}`, facts, (path) => net.archive(path));
    },
    add: (...given) => snapshots.add(...given),
    get: (name) => snapshots.get(name),
    read: (...given) => snapshots.read(...given),
    delete: (name) => snapshots.delete(name),
    getArchive: (name) => snapshots.getArchive(name),
    restore: (name) => replace(() => snapshots.prepare(name, folder)),
    reset: () => replace(() => snapshots.prepareGenesis(folder)),
  };
}

/** A mark in the folder of a chain that its index must be rebuilt; it survives a kill of the process. */
export class IndexReset {
  readonly #path: string;

  constructor(folder: string) {
    this.#path = join(folder, "index-reset");
  }

  order(): void {
    writeWhole(this.#path, new Uint8Array());
  }

  isOrdered(): boolean {
    return existsSync(this.#path);
  }

  done(): void {
    rmSync(this.#path, { force: true });
  }
}
