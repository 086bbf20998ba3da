import { writeBoc } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import type { Dictionary } from "../../cell/dictionary.ts";
import { blockIdFromTl, blockIdToTl, type TlBlockId } from "../../lite/queries/ids.ts";
import { getConfigAll, getConfigParams } from "../../lite/tl/liteQueries.ts";
import { ShardAccounts } from "../../model/Account.ts";
import { Block } from "../../model/block/Block.ts";
import { type BlockIdExt, masterBlockId, sameBlock } from "../../model/block/BlockId.ts";
import { McBlockExtra } from "../../model/block/McBlockExtra.ts";
import type { McStateExtra } from "../../model/block/McStateExtra.ts";
import type { LedgerBlock } from "../ledger/Ledger.ts";
import { openAll, openCell, readState, readWhole } from "../ledger/proof.ts";
import { type AnswerContext, type QueryHandler, queryHandler } from "./kit/AnswerContext.ts";
import { formatFullId, isMasterId, loadMasterBlock } from "./kit/blockAccess.ts";
import { masterExtra, openMasterState } from "./kit/masterState.ts";
import { findOldBlock } from "./kit/oldBlocks.ts";
import { badQuery, refusal, refusalCode } from "./kit/refusal.ts";

type Params = Dictionary<number, Cell>;

/** The optional parts of a configuration proof. */
const shows = {
  validators: 16,
  specialAccounts: 32,
  accounts: 64,
  prevBlocks: 128,
  workchains: 256,
  globalVersion: 512,
  fromKeyBlock: 0x8000,
} as const;

/** Opens the parameters that a mode always includes. */
export function openModeParams(params: Params, mode: number): void {
  if (mode & shows.validators) openAll(params.find(35) ?? params.find(34));
  if (mode & shows.specialAccounts) openOne(params.find(31));
  if (mode & shows.workchains) openAll(params.find(12));
  if (mode & shows.globalVersion) openOne(params.find(8));
}

function openOne(cell: Cell | undefined): void {
  if (cell !== undefined) openCell(cell);
}

/** Undefined requests all parameters. */
type ParamIds = readonly number[] | undefined;

function openParams(params: Params, asked: ParamIds): void {
  if (asked === undefined) openAll(params.root);
  else for (const id of asked) openAll(params.find(id));
}

async function fromState({ ledger, state, proofs }: AnswerContext, id: BlockIdExt, mode: number, asked: ParamIds) {
  const block = loadMasterBlock(ledger, id);
  const reading = readState(await state(block));
  const extra = masterExtra(reading.root);
  const withPrev = (mode & shows.prevBlocks) !== 0;
  const shown = withPrev ? mode | shows.globalVersion : mode;
  openModeParams(extra.config.params, shown);
  if (withPrev) openPrevBlocks(extra, block.id.seqno);
  if (withPrev && mode & shows.accounts) openAccounts(reading.root);
  openParams(extra.config.params, asked);
  return {
    mode: shown & 0xffff,
    id: blockIdToTl(id),
    stateProof: writeBoc(await proofs.header(block)),
    configProof: writeBoc(reading.proof()),
  };
}

/** The root of the accounts, which a node includes on request. */
function openAccounts(state: Cell): void {
  openOne(loadCell(ShardAccounts, openMasterState(state).accounts.cell).root);
}

const lastBlocks = 16;

/** The zero state, and the last blocks one by one and by hundreds, as contracts may access them. */
function openPrevBlocks(extra: McStateExtra, seqno: number): void {
  const wanted = new Set([0]);
  for (let back = 1; back < lastBlocks && back <= seqno; back++) wanted.add(seqno - back);
  const hundred = seqno - (seqno % 100);
  for (let back = 0; back < lastBlocks && back * 100 <= hundred; back++) wanted.add(hundred - back * 100);
  wanted.delete(seqno);
  for (const old of wanted) findOldBlock(extra, old);
}

/** The configuration of the key block at or before a block, from that block itself. */
async function fromKeyBlock(context: AnswerContext, id: BlockIdExt, mode: number, asked: ParamIds) {
  const block = await findKeyBlock(context, id);
  const reading = readWhole(await context.root(block));
  const { info, extra } = loadCell(Block, reading.root);
  openAll(info.cell);
  const { custom } = extra.load();
  const config = custom === undefined ? undefined : loadCell(McBlockExtra, custom.cell).config;
  if (config === undefined) throw badQuery("cannot unpack extra header of key block to extract configuration");
  openModeParams(config.params, mode);
  openParams(config.params, asked);
  return {
    mode: mode & 0xffff,
    id: blockIdToTl(block.id),
    stateProof: new Uint8Array(),
    configProof: writeBoc(reading.proof()),
  };
}

async function findKeyBlock({ ledger, state }: AnswerContext, id: BlockIdExt): Promise<LedgerBlock> {
  const head = ledger.headId;
  if (id.seqno > head.seqno) {
    throw refusal(
      refusalCode.plain,
      `client knows block ${formatFullId(id)} newer than the reference masterchain block ${formatFullId(head)}`,
    );
  }
  const known = ledger.findBlock(id);
  if (known === undefined && !sameBlock(id, ledger.zero.id)) {
    throw refusal(
      refusalCode.plain,
      `requested masterchain block ${formatFullId(id)} is unknown from the perspective of reference block ${formatFullId(head)}`,
    );
  }
  if (known?.info.keyBlock) return known;
  const last = known === undefined ? undefined : masterExtra(await state(known)).history.lastKeyBlock;
  return loadMasterBlock(ledger, last === undefined ? ledger.zero.id : masterBlockId(last));
}

function answerConfig(context: AnswerContext, id: TlBlockId, mode: number, asked: ParamIds) {
  const block = blockIdFromTl(id);
  if (!isMasterId(block))
    throw badQuery("configuration parameters can be loaded with respect to a masterchain block only");
  return mode & shows.fromKeyBlock
    ? fromKeyBlock(context, block, mode, asked)
    : fromState(context, block, mode & 0xffff, asked);
}

/** A longer list than a configuration can have is cut. */
const maxParams = 1024;

export const configAnswers: readonly QueryHandler[] = [
  queryHandler(getConfigAll, (context, { mode, id }) => answerConfig(context, id, mode, undefined)),
  queryHandler(getConfigParams, (context, { mode, id, paramList }) =>
    answerConfig(context, id, mode, paramList.slice(0, maxParams)),
  ),
];
