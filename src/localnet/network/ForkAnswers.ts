import { readRoot, writeBoc } from "../../cell/boc.ts";
import { openMerkleProof } from "../../cell/merkle/merkleProof.ts";
import { isCoded } from "../../lib/errors.ts";
import { blockIdFromTl, blockIdToTl, type TlAccountId, type TlBlockId } from "../../lite/queries/ids.ts";
import { ask } from "../../lite/server/LiteServer.ts";
import {
  getAccountState,
  getAccountStatePrunned,
  getBlockProof,
  getLibraries,
  getLibrariesWithProof,
  getTransactions,
  lookupBlock,
  lookupBlockWithProof,
  runSmcMethod,
  sendMessage,
} from "../../lite/tl/liteQueries.ts";
import { type DecodedQuery, encodeQuery } from "../../lite/tl/queryEnvelope.ts";
import type { TlQuery } from "../../lite/tl/record.ts";
import { decode, encode } from "../../lite/tl/types.ts";
import { makeAddress } from "../../model/Address.ts";
import { type BlockIdExt, masterchain, sameBlock, shardsIntersect } from "../../model/block/BlockId.ts";
import type { BlockInfo } from "../../model/block/BlockInfo.ts";
import { hashFromBytes } from "../../model/Hash.ts";
import type { AnswerContext } from "../answers/kit/AnswerContext.ts";
import { loadMasterBlock } from "../answers/kit/blockAccess.ts";
import { proveOldBlock } from "../answers/kit/oldBlocks.ts";
import { badQuery } from "../answers/kit/refusal.ts";
import { leafShard } from "../answers/lookup.ts";
import { LocalnetError } from "../errors.ts";
import type { Fork } from "../fork/Fork.ts";

/** Answers a query from the own chain. */
type AnswerLocally = (asked: DecodedQuery) => Promise<Uint8Array>;

type LookupArgs = Parameters<typeof lookupBlockWithProof.need>[0];

/** The arguments of queries that name blocks or accounts. */
interface NamingArgs {
  readonly id?: TlBlockId | undefined;
  readonly account?: TlAccountId | undefined;
  readonly libraryList?: readonly Uint8Array[] | undefined;
}

const ofAccounts = idsOf(getAccountState, getAccountStatePrunned, runSmcMethod);
const ofLibraries = idsOf(getLibraries, getLibrariesWithProof);

/** A set of queries, by their numbers. */
function idsOf(...queries: readonly { readonly id: number }[]): ReadonlySet<number> {
  return new Set(queries.map(({ id }) => id));
}

/**
 * What a fork answers as the lite server of both chains: blocks before it come from its origin, and accounts and
 * libraries come in before the own chain answers about them.
 */
export class ForkAnswers {
  readonly #fork: Fork;
  readonly #context: AnswerContext;

  constructor(fork: Fork, context: AnswerContext) {
    this.#fork = fork;
    this.#context = context;
  }

  async answer(asked: DecodedQuery, locally: AnswerLocally, signal: AbortSignal): Promise<Uint8Array> {
    const { query, args } = asked;
    if (query.id === getBlockProof.id) return this.#answerProof(asked, locally, signal);
    if (query.id === lookupBlockWithProof.id && this.#isOldLookup(argsOf(lookupBlockWithProof, args)))
      return this.#answerOldLookup(argsOf(lookupBlockWithProof, args), signal);
    if (query.id === lookupBlock.id && this.#isOldLookup(argsOf(lookupBlock, args)))
      return this.#forward(asked, signal);
    if (query.id === getTransactions.id && this.#isOldTransaction(argsOf(getTransactions, args)))
      return this.#forward(asked, signal);
    const { id, account, libraryList } = Object(args) as NamingArgs;
    const named = id !== undefined && "rootHash" in id ? blockIdFromTl(id) : undefined;
    if (named !== undefined && this.#isOld(named)) return this.#forward(asked, signal);
    if (account !== undefined && ofAccounts.has(query.id))
      await this.#fork.touch([makeAddress(account.workchain, hashFromBytes(account.id))], signal);
    if (libraryList !== undefined && ofLibraries.has(query.id))
      await this.#fork.touchLibraries(libraryList.map(hashFromBytes), signal);
    try {
      const run = () => locally(asked);
      // A message that is sent twice may be refused the second time.
      if (query.id === sendMessage.id) return await this.#fork.withCells(run, signal);
      return await this.#fork.complete(run, signal);
    } catch (error) {
      // The last blocks of the origin are here, but not everything of their states.
      const isBase = named !== undefined && this.#context.ledger.isBase(named);
      if (!isCoded(error, "localnet/origin") || !isBase) throw error;
      return this.#forward(asked, signal);
    }
  }

  /** Sends a query to the origin. Whoever asked checks the answer, as he does with every lite server. */
  async #forward({ query, args }: DecodedQuery, signal: AbortSignal): Promise<Uint8Array> {
    return this.#server().ask(encodeQuery(query, args), { signal });
  }

  #server() {
    const { origin, facts } = this.#fork;
    if (origin !== undefined) return origin.server;
    const text = `blocks up to ${facts.master.seqno} are those of ${facts.origin}, and the fork was started without it`;
    throw new LocalnetError("localnet/origin", text);
  }

  /** Whether a block is one of the origin that this chain does not have. */
  #isOld(id: BlockIdExt): boolean {
    const { ledger } = this.#context;
    if (id.seqno === 0) return true;
    if (ledger.findBlock(id) !== undefined) return false;
    return this.#isBefore(id.workchain, id.shard, (base) => id.seqno <= base.seqno);
  }

  /** Whether something is at or before the last blocks of the origin in a shard. */
  #isBefore(workchain: number, shard: bigint, reached: (base: BlockInfo) => boolean): boolean {
    const { master, shards } = this.#fork.base;
    const own = workchain === masterchain ? [master] : shards;
    return own.some(
      ({ id }) =>
        id.workchain === workchain &&
        shardsIntersect(id.shard, shard) &&
        reached(this.#context.ledger.getBlock(id).info),
    );
  }

  #isOldLookup(args: Omit<LookupArgs, "mcBlockId">): boolean {
    const { mode, id, lt = 0n, utime = 0 } = args;
    const shard = leafShard(BigInt.asUintN(64, id.shard));
    return this.#isBefore(id.workchain, shard, (info) => {
      if (mode & 1) return id.seqno < info.seqno;
      return mode & 2 ? BigInt.asUintN(64, lt) <= info.startLt : utime >>> 0 <= info.genUtime;
    });
  }

  #isOldTransaction({ account, lt }: { readonly account: TlAccountId; readonly lt: bigint }): boolean {
    const shard = leafShard(BigInt(`0x${hashFromBytes(account.id).slice(0, 16)}`));
    return this.#isBefore(account.workchain, shard, (info) => BigInt.asUintN(64, lt) <= info.endLt);
  }

  /** A lookup in the origin, proved from a block of the own chain: its state has the list of all old blocks. */
  async #answerOldLookup(args: LookupArgs, signal: AbortSignal): Promise<Uint8Array> {
    const { ledger, proofs } = this.#context;
    const { master } = this.#fork.base;
    const reference = blockIdFromTl(args.mcBlockId);
    if (this.#isOld(reference))
      return this.#forward({ wait: undefined, ...asking(lookupBlockWithProof, args) }, signal);
    const found = await ask(
      this.#server(),
      lookupBlockWithProof,
      { ...args, mcBlockId: blockIdToTl(master.id) },
      { signal },
    );
    if (sameBlock(reference, master.id)) return encode(lookupBlockWithProof.answer.boxed, found);
    if (found.mcBlockProof.length > 0) this.#fork.addProof(openMerkleProof(readRoot(found.mcBlockProof)));
    const known = loadMasterBlock(ledger, reference);
    return encode(lookupBlockWithProof.answer.boxed, {
      ...found,
      clientMcStateProof: writeBoc(await proofs.header(known)),
      mcBlockProof: writeBoc(await proveOldBlock(this.#context, known, blockIdFromTl(found.mcBlockId))),
    });
  }

  /** A proof to a block of the origin goes over the last one; there is none from there, where others are validators. */
  async #answerProof(asked: DecodedQuery, locally: AnswerLocally, signal: AbortSignal): Promise<Uint8Array> {
    const args = argsOf(getBlockProof, asked.args);
    const { id: base } = this.#fork.base.master;
    const from = blockIdFromTl(args.knownBlock);
    const to = args.targetBlock === undefined ? this.#context.ledger.headId : blockIdFromTl(args.targetBlock);
    if (from.seqno <= base.seqno && to.seqno > base.seqno) {
      const text = `this network is a fork of block ${base.seqno}: begin with its init block, the next one`;
      throw badQuery(text);
    }
    if (to.seqno >= base.seqno) return locally(asked);
    if (from.seqno <= base.seqno) return this.#forward(asked, signal);
    const first = await locally({ ...asked, args: { ...args, targetBlock: blockIdToTl(base) } });
    const { answer } = getBlockProof;
    const ours = decode(answer.boxed, first);
    if (!ours.complete) return first;
    const theirs = await ask(this.#server(), getBlockProof, { ...args, knownBlock: blockIdToTl(base) }, { signal });
    return encode(answer.boxed, { ...theirs, from: args.knownBlock, steps: [...ours.steps, ...theirs.steps] });
  }
}

/** The arguments of a query, which were decoded by its declaration. */
function argsOf<Q, A>(_query: TlQuery<Q, A>, args: unknown): Q {
  return args as Q;
}

function asking<Q, A>(query: TlQuery<Q, A>, args: Q): Pick<DecodedQuery, "query" | "args"> {
  return { query: query as TlQuery<unknown, unknown>, args };
}
