import { formatJson, parseJson } from "../../../lib/json.ts";
import { nameOfNetwork, type TrustedStart } from "../../../lite/server/knownNetworks.ts";
import { type BlockIdExt, masterchain, wholeShard } from "../../../model/block/BlockId.ts";
import { findHash } from "../../../model/Hash.ts";
import { findProperties } from "../../declare/requestArgs.ts";
import type { TrustStore } from "./TrustOptions.ts";
import { UnprovedError } from "./UnprovedError.ts";

/** The block from which a client trusts the chain: the newest key block that it has proved. */
export class TrustedBlocks {
  readonly #start: TrustedStart;
  readonly #store: TrustStore;
  #newest: Promise<BlockIdExt> | undefined;

  constructor(start: TrustedStart, store: TrustStore) {
    this.#start = start;
    this.#store = store;
  }

  /** The newest one; "verify/store" if the stored one cannot be used. */
  get newest(): Promise<BlockIdExt> {
    this.#newest ??= this.#load().catch((error: unknown) => {
      // The next call tries again: a file may be mended meanwhile.
      this.#newest = undefined;
      throw error;
    });
    return this.#newest;
  }

  /** Keeps a proved key block that is newer. */
  async add(block: BlockIdExt): Promise<void> {
    if (block.seqno <= (await this.newest).seqno) return;
    this.#newest = Promise.resolve(block);
    const { seqno, rootHash, fileHash } = block;
    await this.#store.save(formatJson({ network: nameOfNetwork(this.#start.zeroState), seqno, rootHash, fileHash }));
  }

  async #load(): Promise<BlockIdExt> {
    const { initBlock, zeroState } = this.#start;
    const text = await this.#store.load();
    if (text === undefined) return initBlock;
    const stored = findStored(text);
    const network = nameOfNetwork(zeroState);
    if (stored === undefined)
      throw new UnprovedError("verify/store", "the stored block cannot be read; remove it and it is proved again");
    if (stored.network !== network) {
      throw new UnprovedError(
        "verify/store",
        `the stored block is of the network ${stored.network}, not ${network}; give each network its own store`,
      );
    }
    return stored.block.seqno > initBlock.seqno ? stored.block : initBlock;
  }
}

function findStored(text: string): { readonly network: string; readonly block: BlockIdExt } | undefined {
  const { network, seqno, rootHash: root, fileHash: file } = findFields(text);
  const [rootHash, fileHash] = [findHash(String(root)), findHash(String(file))];
  if (typeof network !== "string" || typeof seqno !== "number" || rootHash === undefined || fileHash === undefined)
    return undefined;
  return { network, block: { workchain: masterchain, shard: wholeShard, seqno, rootHash, fileHash } };
}

function findFields(text: string): Readonly<Record<string, unknown>> {
  try {
    return findProperties(parseJson(text)) ?? {};
  } catch {
    return {};
  }
}
