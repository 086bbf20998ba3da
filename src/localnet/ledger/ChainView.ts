import { beginCell } from "../../cell/Builder.ts";
import { loadCell } from "../../cell/codec.ts";
import { makeLinked } from "../../cell/linked.ts";
import { Account, type ShardAccount, type ShardAccounts } from "../../model/Account.ts";
import { type Address, accountOf, workchainOf } from "../../model/Address.ts";
import {
  type BlockIdExt,
  type ExtBlkRef,
  masterchain,
  type ShardId,
  type ShardIdent,
  shardContains,
  shardHolds,
  shardsIntersect,
  wholeShard,
} from "../../model/block/BlockId.ts";
import type { McStateExtra } from "../../model/block/McStateExtra.ts";
import { OutMsgQueueInfo } from "../../model/block/OutMsgQueue.ts";
import { listShardTops, type ShardTop, shardTopId } from "../../model/block/ShardHashes.ts";
import { ShardStateUnsplit } from "../../model/block/ShardState.ts";
import type { ConfigParams } from "../../model/config/ConfigParams.ts";
import { type Hash, zeroHash } from "../../model/Hash.ts";
import type { PreviousBlocks } from "../../model/vm/previousBlocks.ts";
import type { Neighbor } from "../collate/neighbor.ts";
import { LocalnetError } from "../errors.ts";
import type { SeenMaster } from "./ForkBase.ts";
import type { Ledger } from "./Ledger.ts";

/** A queue without messages, that has processed none. */
const noQueue = loadCell(OutMsgQueueInfo, beginCell().storeBit(false).storeBigUint(0n, 64).storeUint(0, 2).cell());

/** An account without state and coins. */
const noAccount: ShardAccount = {
  account: makeLinked(Account, { kind: "none" }),
  lastTransactionHash: zeroHash,
  lastTransactionLt: 0n,
};

/** The end of the newest block of a shard. */
interface ShardEnd {
  readonly shard: ShardId;
  readonly endLt: bigint;
}

/**
 * The chain at one masterchain block; by default at the newest one. What it has read it keeps: its lifetime is short.
 */
export class ChainView {
  readonly #ledger: Ledger;
  readonly #at: BlockIdExt | undefined;
  readonly #endLts = new Map<string, readonly ShardEnd[]>();
  readonly #states = new Map<Hash, ShardStateUnsplit>();
  readonly #accounts = new Map<Hash, ShardAccounts>();
  /** The account that was read last: a message is first looked at, then tried. */
  #lastFound: { readonly address: Address; readonly account: ShardAccount | undefined } | undefined;
  readonly #extras = new Map<Hash, McStateExtra>();
  readonly #tops = new Map<Hash, ShardTop[]>();

  constructor(ledger: Ledger, at?: BlockIdExt) {
    this.#ledger = ledger;
    this.#at = at;
  }

  /** The masterchain block of the view. */
  get head(): BlockIdExt {
    return this.#at ?? this.#ledger.headId;
  }

  state(id: BlockIdExt): ShardStateUnsplit {
    return remember(this.#states, id, () => loadCell(ShardStateUnsplit, this.#ledger.state(id)));
  }

  masterExtra(id: BlockIdExt = this.head): McStateExtra {
    return remember(this.#extras, id, () => {
      const { custom } = this.state(id);
      if (custom === undefined) throw new LocalnetError("localnet/missing", "no masterchain state");
      return custom.load();
    });
  }

  get config(): ConfigParams {
    return this.masterExtra().config;
  }

  /** A reference to the newest masterchain block. */
  masterRef(): ExtBlkRef {
    const { seqno, rootHash, fileHash } = this.head;
    return { endLt: this.endLt(this.head), seqno, rootHash, fileHash };
  }

  /** Shard tops that the newest masterchain block commits to. */
  tops(): ShardTop[] {
    return remember(this.#tops, this.head, () => listShardTops(this.masterExtra().shardHashes));
  }

  endLt(id: BlockIdExt): bigint {
    return id.seqno === 0 ? 0n : this.#ledger.getBlock(id).info.endLt;
  }

  neighbor(id: BlockIdExt): Neighbor {
    return { block: id, endLt: this.endLt(id), queue: this.queueOf(id) };
  }

  /** The messages under way after a block. Those of another chain that a fork continues may stay there. */
  queueOf(id: BlockIdExt): OutMsgQueueInfo {
    const isLeft = this.#ledger.isBase(id) && this.#ledger.base?.seen === undefined;
    return isLeft ? noQueue : this.state(id).outMsgQueueInfo.load();
  }

  /** The progress of a shard in the view of a masterchain block. */
  endLtAt(masterSeqno: number, source: ShardIdent, position: () => Hash): bigint {
    const key = `${masterSeqno} ${source.workchain} ${source.shard}`;
    const known = this.#endLts.get(key) ?? this.#findEnds(masterSeqno, source);
    this.#endLts.set(key, known);
    const [only, other] = known;
    if (only === undefined || other === undefined) return only?.endLt ?? 0n;
    // Shards that merged since.
    const prefix = position();
    return known.find(({ shard }) => shardContains(shard, prefix))?.endLt ?? 0n;
  }

  #findEnds(masterSeqno: number, source: ShardIdent): readonly ShardEnd[] {
    if (masterSeqno === 0) return [];
    const { endLt, tops } = this.#ledger.base?.seen?.get(masterSeqno) ?? this.#findSeen(masterSeqno);
    if (source.workchain === masterchain) return [{ shard: wholeShard, endLt }];
    return tops
      .filter(({ workchain, shard }) => workchain === source.workchain && shardsIntersect(shard, source.shard))
      .map(({ shard, description }) => ({ shard, endLt: description.endLt }));
  }

  #findSeen(masterSeqno: number): SeenMaster {
    const { id, info } = this.#ledger.getMaster(masterSeqno);
    return { endLt: info.endLt, tops: listShardTops(this.masterExtra(id).shardHashes) };
  }

  lastKeySeqno(): number {
    const head = this.#ledger.findBlock(this.head);
    if (head === undefined) return 0;
    return head.info.keyBlock ? head.id.seqno : head.info.prevKeyBlockSeqno;
  }

  /** The blocks that code may access. */
  previousBlocks(): PreviousBlocks {
    const newest = this.head.seqno;
    const id = (seqno: number): BlockIdExt => this.#ledger.masterId(seqno);
    const count = (length: number): number[] => Array.from({ length: Math.max(0, Math.min(16, length)) }, (_, i) => i);
    const hundred = Math.floor(newest / 100);
    return {
      last: count(newest + 1).map((i) => id(newest - i)),
      lastKeyBlock: id(this.lastKeySeqno()),
      lastHundreds: count(hundred + 1).map((i) => id((hundred - i) * 100)),
    };
  }

  topIds(): BlockIdExt[] {
    return this.tops().map(shardTopId);
  }

  /** The block whose state contains an account, or would contain it; none in a workchain that does not exist. */
  findHome(address: Address): BlockIdExt | undefined {
    if (workchainOf(address) === masterchain) return this.head;
    return this.topIds().find((id) => shardHolds(id, address));
  }

  /** The current account; one that does not exist has neither state nor coins. */
  shardAccount(address: Address): ShardAccount {
    return this.findAccount(address) ?? noAccount;
  }

  findAccount(address: Address): ShardAccount | undefined {
    // A view without a block of its own moves on with the chain.
    if (this.#at === undefined || this.#lastFound?.address !== address)
      this.#lastFound = { address, account: this.#readAccount(address) };
    return this.#lastFound.account;
  }

  #readAccount(address: Address): ShardAccount | undefined {
    const home = this.findHome(address);
    if (home === undefined) return undefined;
    return remember(this.#accounts, home, () => this.state(home).accounts.load()).find(accountOf(address));
  }

  /** Whether messages wait in any queue for the next blocks to deliver them. */
  get hasQueued(): boolean {
    return [this.head, ...this.topIds()].some((id) => !this.queueOf(id).queue.isEmpty);
  }
}

function remember<T>(known: Map<Hash, T>, { rootHash }: BlockIdExt, read: () => T): T {
  const value = known.get(rootHash) ?? read();
  known.set(rootHash, value);
  return value;
}

const newest = new WeakMap<Ledger, ChainView>();

/** The view at the newest block, shared until the next one: every message that arrives and every wallet looks there. */
export function headView(ledger: Ledger): ChainView {
  const known = newest.get(ledger);
  if (known?.head === ledger.headId) return known;
  const view = new ChainView(ledger, ledger.headId);
  newest.set(ledger, view);
  return view;
}
