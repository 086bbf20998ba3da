import { writeBoc } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import type { Dictionary } from "../../cell/dictionary.ts";
import { blockIdFromTl, blockIdToTl, type TlBlockId } from "../../lite/queries/ids.ts";
import { getBlockProof } from "../../lite/tl/liteQueries.ts";
import type { blockLink } from "../../lite/tl/liteRecords.ts";
import type { TlValue } from "../../lite/tl/types.ts";
import { Block } from "../../model/block/Block.ts";
import { type BlockIdExt, sameBlock } from "../../model/block/BlockId.ts";
import { McBlockExtra } from "../../model/block/McBlockExtra.ts";
import { LocalnetError } from "../errors.ts";
import type { Ledger } from "../ledger/Ledger.ts";
import { openAll, openCell, readWhole } from "../ledger/proof.ts";
import { type AnswerContext, type QueryHandler, queryHandler } from "./kit/AnswerContext.ts";
import { formatFullId, getCommitted, isMasterId } from "./kit/blockAccess.ts";
import { plainHeaderProof } from "./kit/headers.ts";
import { masterExtra } from "./kit/masterState.ts";
import { proveOldBlockWithZero } from "./kit/oldBlocks.ts";
import { badQuery, notReady } from "./kit/refusal.ts";

type BlockLink = TlValue<typeof blockLink>;

const flags = { target: 1, ownBase: 0x1000 } as const;

/** A node stops after this many links; the next query continues. */
const maxLinks = 16;

interface ProofArgs {
  readonly mode: number;
  readonly knownBlock: TlBlockId;
  readonly targetBlock?: TlBlockId | undefined;
}

async function answerProof(context: AnswerContext, { mode, knownBlock, targetBlock }: ProofArgs) {
  const { ledger } = context;
  const from = blockIdFromTl(knownBlock);
  if (!isMasterId(from)) throw badQuery(`source block ${formatFullId(from)} is not a valid masterchain block id`);
  const to = targetBlock === undefined ? ledger.headId : blockIdFromTl(targetBlock);
  if (!isMasterId(to)) throw badQuery(`destination block ${formatFullId(to)} is not a valid masterchain block id`);
  const isOwnBase = (mode & flags.target) !== 0 && (mode & flags.ownBase) !== 0;
  const base = isOwnBase ? newer(from, to) : ledger.headId;
  if (isOwnBase && !isKnown(ledger, base)) getCommitted(ledger, base);
  checkKnown(ledger, from, to, base);
  const { steps, at } = await followChain(context, from, to, base.seqno);
  return { complete: sameBlock(at, to), from: knownBlock, to: blockIdToTl(at), steps };
}

function newer(a: BlockIdExt, b: BlockIdExt): BlockIdExt {
  return a.seqno > b.seqno ? a : b;
}

function masterId(ledger: Ledger, seqno: number): BlockIdExt {
  return ledger.masterId(seqno);
}

function isKnown(ledger: Ledger, id: BlockIdExt): boolean {
  return id.seqno <= ledger.headId.seqno && sameBlock(masterId(ledger, id.seqno), id);
}

function checkKnown(ledger: Ledger, from: BlockIdExt, to: BlockIdExt, base: BlockIdExt): void {
  for (const id of [from, to]) {
    if (id.seqno > base.seqno) {
      throw badQuery(
        `client knows block ${formatFullId(id)} newer than the reference masterchain block ${formatFullId(base)}`,
      );
    }
  }
  const unknown = `is unknown from the perspective of reference block ${formatFullId(base)}`;
  if (!isKnown(ledger, from)) throw badQuery(`proof source masterchain block ${formatFullId(from)} ${unknown}`);
  if (!isKnown(ledger, to)) throw badQuery(`proof destination masterchain block ${formatFullId(to)} ${unknown}`);
}

/** Back to the last key block, then forward from key block to key block; or directly back when the target is older. */
async function followChain(context: AnswerContext, from: BlockIdExt, to: BlockIdExt, baseSeqno: number) {
  const { ledger } = context;
  const keys = [0, ...ledger.keySeqnos.filter((seqno) => seqno <= baseSeqno)];
  const steps: BlockLink[] = [];
  let at = from;
  while (steps.length < maxLinks && !sameBlock(at, to)) {
    const { seqno } = at;
    const lastKey = keys.findLast((key) => key <= seqno) ?? 0;
    const isBack = to.seqno < seqno || lastKey !== seqno;
    const next = to.seqno < seqno ? to.seqno : isBack ? lastKey : (keys.find((key) => key > seqno) ?? to.seqno);
    const target = masterId(ledger, next);
    steps.push(await (isBack ? linkBack : linkForward)(context, at, target));
    at = target;
  }
  return { steps, at };
}

async function linkBack(context: AnswerContext, from: BlockIdExt, to: BlockIdExt): Promise<BlockLink> {
  const { ledger, proofs } = context;
  const block = ledger.getBlock(from);
  const target = ledger.findBlock(to);
  return {
    kind: "back",
    toKeyBlock: target === undefined || target.info.keyBlock,
    from: blockIdToTl(from),
    to: blockIdToTl(to),
    destProof: target === undefined ? new Uint8Array() : writeBoc(await plainHeaderProof(context, target)),
    proof: writeBoc(await proofs.header(block)),
    stateProof: writeBoc(await proveOldBlockWithZero(context, block, to)),
  };
}

/** Needs the signatures of the target: a chain without signatures answers like a node that lacks the proof. */
async function linkForward(context: AnswerContext, from: BlockIdExt, to: BlockIdExt): Promise<BlockLink> {
  const { ledger, signatures } = context;
  const target = ledger.getBlock(to);
  const signed = signatures(to);
  if (signed === undefined) throw notReady(`cannot load proof for ${formatFullId(to)} : proof not in db`);
  return {
    kind: "forward",
    toKeyBlock: target.info.keyBlock,
    from: blockIdToTl(from),
    to: blockIdToTl(to),
    destProof: writeBoc(await plainHeaderProof(context, target)),
    configProof: writeBoc(from.seqno === 0 ? proveZeroValidators(ledger) : await proveValidators(context, from)),
    signatures: signed,
  };
}

/** Opens the validators of the masterchain and how their groups are drawn. */
function openValidators(params: Dictionary<number, Cell>): void {
  openAll(params.find(35) ?? params.find(34));
  const catchain = params.find(28);
  if (catchain !== undefined) openCell(catchain);
}

function proveZeroValidators(ledger: Ledger): Cell {
  const reading = readWhole(ledger.zero.root);
  openValidators(masterExtra(reading.root).config.params);
  return reading.proof();
}

async function proveValidators({ ledger, root }: AnswerContext, id: BlockIdExt): Promise<Cell> {
  const reading = readWhole(await root(ledger.getBlock(id)));
  const { info, extra } = loadCell(Block, reading.root);
  openCell(info.cell);
  const { custom } = extra.load();
  const config = custom === undefined ? undefined : loadCell(McBlockExtra, custom.cell).config;
  if (config === undefined) throw new LocalnetError("localnet/block", "a key block without configuration");
  openValidators(config.params);
  return reading.proof();
}

export const blockProofAnswers: readonly QueryHandler[] = [queryHandler(getBlockProof, answerProof)];
