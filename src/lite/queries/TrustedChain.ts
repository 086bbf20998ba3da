import { type BlockIdExt, formatBlockId, masterchain, sameBlock, wholeShard } from "../../model/block/BlockId.ts";
import { hashFromBytes } from "../../model/Hash.ts";
import { askProven, type LiteServer, type TypedAskOptions } from "../server/LiteServer.ts";
import { getMasterchainInfo } from "../tl/liteQueries.ts";
import type { masterchainInfo } from "../tl/liteRecords.ts";
import type { TlValue } from "../tl/types.ts";
import { fetchBlockHeader } from "./blockHeader.ts";
import { checkBlockProof, fetchBlockProof, followBlockProof, type ProvenHead } from "./blockProof.ts";
import { blockIdFromTl } from "./ids.ts";
import { proofError } from "./proven.ts";
import type { SignedBy } from "./signatures.ts";
import { ValidatorGroups } from "./validators.ts";

/** A proved masterchain block, and when it was made. */
export interface TrustedHead {
  readonly block: BlockIdExt;
  readonly genUtime: number;
}

export interface TrustedChainOptions {
  /** The trusted start block: the network's published init block, or the newest block stored by an earlier run. */
  readonly start: BlockIdExt;
  /** The network's zero state, which identifies servers of another network. */
  readonly zeroState: BlockIdExt;
  /** `trust` accepts any head without proof: for private networks only. */
  readonly proofs: "check" | "trust";
  /**
   * Called with the newest key block of every proof, when it is newer than those before, to keep it as the next start.
   */
  readonly onKeyBlock?: (block: BlockIdExt) => void;
  /** Called with the signers of each block that is reached by signatures. */
  readonly onSigned?: (by: SignedBy) => void;
  /** `follow` only follows the links to targets that are trusted already, for a proof that somebody else checks. */
  readonly links?: "check" | "follow";
  /** Validator groups that are known already; own ones by default. */
  readonly groups?: ValidatorGroups;
  /** Called with the progress towards a distant head, which needs several answers. */
  readonly onProgress?: (at: BlockIdExt, target: BlockIdExt) => void;
}

/** The number of proved heads that are remembered: the servers of a pool report the same few. */
const remembered = 256;

/**
 * The proved masterchain blocks. A block is proved by signatures of validators that the chain itself names, starting
 * from a trusted block; one proof serves all servers that report the same block.
 */
export class TrustedChain {
  readonly #options: TrustedChainOptions;
  readonly #proved = new Map<string, TrustedHead>();
  readonly #groups: ValidatorGroups;
  #newest: BlockIdExt;
  #keyBlock: BlockIdExt;

  constructor(options: TrustedChainOptions) {
    this.#options = options;
    this.#groups = options.groups ?? new ValidatorGroups();
    this.#newest = options.start;
    this.#keyBlock = options.start;
  }

  /** The newest block proved so far. */
  get newest(): BlockIdExt {
    return this.#newest;
  }

  /** The newest head of a server, proved. */
  async head(server: LiteServer, options: TypedAskOptions): Promise<TrustedHead> {
    const check = (answer: TlValue<typeof masterchainInfo>): BlockIdExt => this.#checkInfo(answer);
    return this.prove(server, await askProven(server, getMasterchainInfo, {}, check, options), options);
  }

  #checkInfo({ init, last }: TlValue<typeof masterchainInfo>): BlockIdExt {
    const { rootHash, fileHash } = this.#options.zeroState;
    if (hashFromBytes(init.rootHash) !== rootHash || hashFromBytes(init.fileHash) !== fileHash)
      throw proofError("a server of another network");
    const id = blockIdFromTl(last);
    expectMaster(id);
    return id;
  }

  /** Proves that a masterchain block belongs to the chain, newer or older than the known ones. */
  async prove(server: LiteServer, target: BlockIdExt, options: TypedAskOptions): Promise<TrustedHead> {
    expectMaster(target);
    const known = this.#find(target);
    if (known !== undefined) return known;
    const genUtime =
      this.#options.proofs === "trust"
        ? await timeOf(server, target, options)
        : await this.#follow(server, target, options);
    return this.#remember({ block: target, genUtime });
  }

  async #follow(server: LiteServer, target: BlockIdExt, options: TypedAskOptions): Promise<number> {
    let at = this.#newest;
    let genUtime: number | undefined;
    while (!sameBlock(at, target)) {
      if (at.seqno === target.seqno) throw proofError(`a block ${formatBlockId(target)} other than the proved one`);
      const step = await this.#step(server, at, target, options);
      at = step.block;
      genUtime = step.header?.genUtime;
      this.#advance(at);
      if (step.signedBy !== undefined) this.#options.onSigned?.(step.signedBy);
      if (step.keyBlock !== undefined) this.#noteKeyBlock(step.keyBlock);
      if (!step.complete) this.#options.onProgress?.(at, target);
    }
    return this.#find(target)?.genUtime ?? genUtime ?? (await timeOf(server, target, options));
  }

  /** The whole remaining proof to the target, or a part of it. */
  async #step(server: LiteServer, at: BlockIdExt, target: BlockIdExt, options: TypedAskOptions): Promise<ProvenHead> {
    const check: typeof checkBlockProof = (known, _target, answer) => {
      // While this server was asked, a proof from another one may have arrived.
      if (this.#find(target) !== undefined)
        return { block: target, header: undefined, keyBlock: undefined, complete: true };
      const step =
        this.#options.links === "follow"
          ? followBlockProof(known, target, answer)
          : checkBlockProof(known, target, answer, this.#groups);
      const { seqno } = step.block;
      // A part may go past the target, to the key block from which a backward link proves it.
      if (!step.complete && (seqno <= at.seqno || at.seqno > target.seqno))
        throw proofError(`a proof to ${formatBlockId(target)} that leads from ${at.seqno} to ${seqno}`);
      return step;
    };
    return fetchBlockProof(server, at, target, options, check);
  }

  #find(block: BlockIdExt): TrustedHead | undefined {
    const known = this.#proved.get(block.rootHash);
    return known !== undefined && sameBlock(known.block, block) ? known : undefined;
  }

  #advance(block: BlockIdExt): void {
    if (block.seqno > this.#newest.seqno) this.#newest = block;
  }

  #noteKeyBlock(block: BlockIdExt): void {
    if (block.seqno <= this.#keyBlock.seqno) return;
    this.#keyBlock = block;
    this.#options.onKeyBlock?.(block);
  }

  #remember(head: TrustedHead): TrustedHead {
    this.#advance(head.block);
    this.#proved.set(head.block.rootHash, head);
    const [oldest] = this.#proved.keys();
    if (this.#proved.size > remembered && oldest !== undefined) this.#proved.delete(oldest);
    return head;
  }
}

function expectMaster(block: BlockIdExt): void {
  if (block.workchain !== masterchain || block.shard !== wholeShard)
    throw proofError(`${formatBlockId(block)} is not a masterchain block`);
}

/** Zero states have no header and so no time. */
async function timeOf(server: LiteServer, block: BlockIdExt, options: TypedAskOptions): Promise<number> {
  return block.seqno === 0 ? 0 : (await fetchBlockHeader(server, block, options)).info.genUtime;
}
