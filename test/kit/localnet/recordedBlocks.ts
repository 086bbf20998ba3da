import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import { makeLinked } from "../../../src/cell/linked.ts";
import type { MadeBlock } from "../../../src/localnet/collate/assemble.ts";
import type { BlockInput } from "../../../src/localnet/collate/BlockInput.ts";
import { makeMasterBlock } from "../../../src/localnet/collate/masterBlock.ts";
import type { Runner, RunResult } from "../../../src/localnet/collate/Runner.ts";
import { makeShardBlock } from "../../../src/localnet/collate/shardBlock.ts";
import { ChainView } from "../../../src/localnet/ledger/ChainView.ts";
import type { Ledger, LedgerBlock } from "../../../src/localnet/ledger/Ledger.ts";
import { Account, type ShardAccount } from "../../../src/model/Account.ts";
import { accountOf, plainAddress } from "../../../src/model/Address.ts";
import { Block, forEachTransaction } from "../../../src/model/block/Block.ts";
import { type BlockIdExt, sameBlock, shardIsAncestor } from "../../../src/model/block/BlockId.ts";
import { prevBlockIds } from "../../../src/model/block/BlockInfo.ts";
import { listShardTops, shardTopId } from "../../../src/model/block/ShardHashes.ts";
import { type Hash, zeroHash } from "../../../src/model/Hash.ts";
import { type InCell, loadInCell, Message } from "../../../src/model/Message.ts";
import { Transaction } from "../../../src/model/Transaction.ts";

/** Returns the transactions of a recorded block for the same messages instead of running code. */
class RecordedRunner implements Runner {
  readonly #waiting = new Map<string, InCell<Transaction>[]>();
  readonly #after: (account: Hash) => ShardAccount;

  constructor(ledger: Ledger, block: LedgerBlock) {
    const accounts = new ChainView(ledger).state(block.id).accounts.load();
    const none = {
      account: makeLinked(Account, { kind: "none" }),
      lastTransactionHash: zeroHash,
      lastTransactionLt: 0n,
    };
    this.#after = (account) => accounts.find(account) ?? none;
    forEachTransaction(ledger.block(block), (cell, account) => {
      const transaction = loadInCell(Transaction, cell);
      const { messages, description } = transaction;
      const isTock = description.kind === "tickTock" && description.isTock;
      const key = `${account} ${messages.in?.cell.hash() ?? isTock}`;
      this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), transaction]);
    });
  }

  runWrite(): never {
    throw new Error("nobody writes accounts of a recorded chain");
  }

  async runMessage({ message }: { readonly message: Cell }): Promise<RunResult> {
    const { info } = loadCell(Message, message);
    if (info.kind === "externalOut") throw new Error("an outgoing external message cannot be run");
    return this.#take(accountOf(plainAddress(info.dest)), message.hash());
  }

  async runTickTock({
    shardAccount,
    isTock,
  }: {
    readonly shardAccount: ShardAccount;
    readonly isTock: boolean;
  }): Promise<RunResult> {
    const account = shardAccount.account.load();
    if (account.kind === "none") throw new Error("no such account");
    return this.#take(accountOf(plainAddress(account.address)), String(isTock));
  }

  #take(account: Hash, cause: string): RunResult {
    const transaction = this.#waiting.get(`${account} ${cause}`)?.shift();
    if (transaction === undefined) throw new Error(`the recorded block has no transaction of ${account} for ${cause}`);
    return { transaction, shardAccount: this.#after(account) };
  }
}

/** External messages of a recorded block in the order of their execution. */
function externalsOf(ledger: Ledger, block: LedgerBlock): Cell[] {
  const found: { readonly lt: bigint; readonly cell: Cell }[] = [];
  ledger
    .block(block)
    .extra.load()
    .inMessages.load()
    .forEach((inMsg) => {
      if (inMsg.kind === "external") found.push({ lt: inMsg.transaction.load().lt, cell: inMsg.message.cell });
    });
  return found.sort((a, b) => (a.lt < b.lt ? -1 : 1)).map(({ cell }) => cell);
}

function common(ledger: Ledger, block: LedgerBlock, config: BlockIdExt): Omit<BlockInput, "neighbors"> {
  const view = new ChainView(ledger);
  const { info } = block;
  const [prev, sibling] = prevBlockIds(info);
  if (prev === undefined || info.genSoftware === undefined) throw new Error("a block without a previous block");
  const { randSeed, createdBy } = ledger.block(block).extra.load();
  return {
    prev: { id: prev, state: ledger.state(prev), endLt: view.endLt(prev) },
    sibling: sibling && { id: sibling, state: ledger.state(sibling), endLt: view.endLt(sibling) },
    now: info.genUtime,
    config: view.masterExtra(config).config,
    runner: new RecordedRunner(ledger, block),
    randSeed,
    createdBy,
    genSoftware: info.genSoftware,
    catchainSeqno: info.genCatchainSeqno,
    validatorListHashShort: info.genValidatorListHashShort,
    endLtAt: (seqno, source, position) => view.endLtAt(seqno, source, position),
    externals: externalsOf(ledger, block),
  };
}

/** Builds a recorded shard block again from the inputs of the recording node. */
export async function remakeShardBlock(ledger: Ledger, block: LedgerBlock): Promise<MadeBlock> {
  const master = block.info.masterRef;
  if (master === undefined) throw new Error("a shard block without a masterchain block");
  const masterId = ledger.getMaster(master.seqno).id;
  const input = common(ledger, block, masterId);
  const view = new ChainView(ledger);
  const tops = listShardTops(view.masterExtra(masterId).shardHashes).map(shardTopId);
  const own = prevBlockIds(block.info);
  const others = tops.filter(
    (id) => id.seqno > 0 && !own.some((prev) => sameBlock(id, prev)) && !shardIsAncestor(block.id.shard, id.shard),
  );
  return makeShardBlock({
    ...input,
    neighbors: [masterId, ...others].map((id) => view.neighbor(id)),
    master,
    shard: block.id.shard,
    beforeSplit: block.info.beforeSplit,
    prevKeyBlockSeqno: block.info.prevKeyBlockSeqno,
  });
}

/** Builds a recorded masterchain block again. */
export async function remakeMasterBlock(ledger: Ledger, block: LedgerBlock): Promise<MadeBlock> {
  const view = new ChainView(ledger);
  const prev = block.id.seqno === 1 ? undefined : ledger.getMaster(block.id.seqno - 1);
  const prevId = prev?.id ?? ledger.zero.id;
  const { validatorInfo } = view.masterExtra(prevId).history;
  const tops = listShardTops(view.masterExtra(block.id).shardHashes).map(shardTopId);
  return makeMasterBlock({
    ...common(ledger, block, prevId),
    catchainSeqno: validatorInfo.catchainSeqno,
    neighbors: tops.filter((id) => id.seqno > 0).map((id) => view.neighbor(id)),
    shardBlocks: newShardBlocks(ledger, block, tops),
    hashOfSet: () => validatorInfo.listHashShort,
    prevIsKey: prev?.info.keyBlock ?? true,
  });
}

function newShardBlocks(ledger: Ledger, master: LedgerBlock, tops: readonly BlockIdExt[]) {
  const ledgerBlocks: LedgerBlock[] = [];
  const blockIdExts = [...tops];
  for (let id = blockIdExts.pop(); id !== undefined; id = blockIdExts.pop()) {
    const block = ledger.findBlock(id);
    if (block === undefined || block.masterSeqno !== master.id.seqno) continue;
    if (ledgerBlocks.some((known) => sameBlock(known.id, block.id))) continue;
    ledgerBlocks.push(block);
    blockIdExts.push(...prevBlockIds(block.info));
  }
  ledgerBlocks.sort((a, b) => a.id.seqno - b.id.seqno);
  return ledgerBlocks.map((block) => {
    const { extra, valueFlow } = ledger.block(block);
    return { id: block.id, info: block.info, valueFlow: valueFlow.load(), createdBy: extra.load().createdBy };
  });
}

/** Names of the parts in which a rebuilt block differs from the recorded one. */
export function differences(ledger: Ledger, recorded: LedgerBlock, made: MadeBlock): string[] {
  const block = ledger.block(recorded);
  const own = loadBlock(made);
  const parts = (["info", "valueFlow", "extra"] as const).filter(
    (part) => own[part].cell.hash() !== block[part].cell.hash(),
  );
  return made.state.hash() === ledger.state(recorded.id).hash() ? parts : [...parts, "state"];
}

function loadBlock(made: MadeBlock) {
  return loadCell(Block, made.root);
}
