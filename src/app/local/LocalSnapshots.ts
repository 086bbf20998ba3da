import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { LocalnetError } from "../../localnet/errors.ts";
import type { Localnet } from "../../localnet/Localnet.ts";
import type { LocalOffer } from "../../localnet/LocalOffer.ts";
import { SnapshotFolder } from "../../localnet/store/SnapshotFolder.ts";
import type { NetworkModules } from "../service/OpenNetwork.ts";

interface SnapshotModules {
  /** Absent if no server serves the network. */
  readonly reopen: NetworkModules["reopen"] | undefined;
  readonly net: Localnet;
  readonly clock: Clock;
  /** The folder of the chain. */
  readonly folder: string;
  /** The folder of its snapshots. */
  readonly kept: string;
}

/** The snapshots of a local network that is served. */
export function openSnapshots({ net, clock, folder, kept, reopen }: SnapshotModules): LocalOffer["snapshots"] {
  const snapshots = new SnapshotFolder(kept);
  return {
    list: () => snapshots.list(),
    make: (name) => {
      const { id, info } = net.ledger.getMaster(net.ledger.headId.seqno);
      const facts = { seqno: id.seqno, chainTime: info.genUtime, madeAt: Math.floor(clock.now() / 1_000) };
      return snapshots.make(name ?? `block-${id.seqno}`, facts, (path) => net.archive(path));
    },
    delete: (name) => snapshots.delete(name),
    readArchive: (name) => snapshots.readArchive(name),
    restore: async (name) => {
      const { seqno } = snapshots.get(name);
      if (reopen === undefined)
        throw new LocalnetError("localnet/snapshot", "a snapshot is restored by the server of the network only");
      await reopen(() => {
        // First, because an index ahead of its chain would be useless.
        new IndexReset(folder).order();
        return snapshots.restore(name, folder);
      });
      return seqno;
    },
  };
}

/** A mark in the folder of a chain that its index must be rebuilt; it survives a kill of the process. */
export class IndexReset {
  readonly #path: string;

  constructor(folder: string) {
    this.#path = join(folder, "index-reset");
  }

  order(): void {
    writeFileSync(this.#path, "");
  }

  isOrdered(): boolean {
    return existsSync(this.#path);
  }

  done(): void {
    rmSync(this.#path, { force: true });
  }
}
