import { readRoot, writeBoc } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell, storeCell } from "../../cell/codec.ts";
import { CodedError } from "../../lib/errors.ts";
import { blockIdToTl, type TlAccountId, type TlBlockId } from "../../lite/queries/ids.ts";
import { runSmcMethod } from "../../lite/tl/liteQueries.ts";
import { Account } from "../../model/Account.ts";
import { makeAddress } from "../../model/Address.ts";
import { type BlockIdExt, masterBlockId, masterchain } from "../../model/block/BlockId.ts";
import { hashFromBytes } from "../../model/Hash.ts";
import { VmStack, VmStackValue } from "../../model/vm/VmStack.ts";
import type { VmValue } from "../../model/vm/VmValue.ts";
import type { LedgerBlock } from "../ledger/Ledger.ts";
import { openAll, openHashes, readAccounts } from "../ledger/proof.ts";
import { findAccount, type ServedAccount } from "./accounts.ts";
import { type AnswerContext, type LocalMethodResult, type QueryHandler, queryHandler } from "./kit/AnswerContext.ts";
import { noBlock } from "./kit/blockAccess.ts";
import { openMasterState } from "./kit/masterState.ts";
import { badQuery, bocError, notReady } from "./kit/refusal.ts";
import { shortRegister } from "./kit/shortRegister.ts";

const flags = { proofs: 1, stateProof: 2, result: 4, c7: 8, libraries: 16, wholeC7: 32 } as const;

const maxParams = 65_536;
const gasLimit = 300_000;

/** The exit code if there is no active account to run. */
const notRun = -256;

interface RunArgs {
  readonly mode: number;
  readonly id: TlBlockId;
  readonly account: TlAccountId;
  readonly methodId: bigint;
  readonly params: Uint8Array;
}

function readParams(params: Uint8Array): Cell | undefined {
  if (params.length === 0) return undefined;
  const root = readBag(params);
  try {
    const stack = loadCell(VmStack, root);
    if (!stack.some(hasContinuation)) return root;
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
  }
  throw badQuery("parameter list boc cannot be deserialized as a VmStack");
}

function readBag(params: Uint8Array): Cell {
  try {
    return readRoot(params);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    throw badQuery(`cannot deserialize parameter list boc: [Error : 0 : ${bocError(params)}]`);
  }
}

function hasContinuation(value: VmValue): boolean {
  return value.kind === "cont" || (value.kind === "tuple" && value.items.some(hasContinuation));
}

const nothing = new Uint8Array();

/** The parts requested by a mode; each is present if its bit is set, even if empty. */
function shape(mode: number, servedAccount: ServedAccount, exitCode: number, parts: Parts) {
  return {
    mode,
    id: blockIdToTl(servedAccount.reference),
    shardblk: servedAccount.block === undefined ? noBlock : blockIdToTl(servedAccount.block.id),
    ...(mode & flags.proofs ? { shardProof: servedAccount.shardProof, proof: servedAccount.proof } : {}),
    ...(mode & flags.stateProof ? { stateProof: parts.stateProof ?? nothing } : {}),
    ...(mode & flags.c7 ? { initC7: parts.c7 ?? nothing } : {}),
    ...(mode & flags.libraries ? { libExtras: nothing } : {}),
    exitCode,
    ...(mode & flags.result ? { result: parts.result ?? nothing } : {}),
  };
}

interface Parts {
  readonly stateProof?: Uint8Array;
  readonly c7?: Uint8Array;
  readonly result?: Uint8Array;
}

async function answerRun(context: AnswerContext, args: RunArgs, signal: AbortSignal) {
  const { mode } = args;
  if (args.params.length >= maxParams) throw badQuery("more than 64k parameter bytes passed");
  if ((mode & ~0x3f) !== 0) throw badQuery("unsupported mode in runSmcMethod");
  const stack = readParams(args.params);
  const servedAccount = await findAccount(context, args.id, args.account);
  if (servedAccount.block === undefined || servedAccount.cell === undefined)
    return shape(mode, servedAccount, notRun, {});
  const account = loadCell(Account, servedAccount.cell);
  if (account.kind !== "account" || account.storage.state.kind !== "active") {
    return shape(
      mode,
      servedAccount,
      notRun,
      mode & flags.stateProof ? { stateProof: proveRun(servedAccount.cell, new Set()) } : {},
    );
  }
  const { runMethod } = context;
  if (runMethod === undefined) throw notReady("this server does not run get-methods");
  const { genUtime, genLt } = openMasterState(await context.state(servedAccount.block));
  const address = makeAddress(args.account.workchain, hashFromBytes(args.account.id));
  const master = masterOf(servedAccount.block, servedAccount.reference);
  const call = {
    address,
    block: servedAccount.block.id,
    master,
    account: servedAccount.cell,
    stack,
    genUtime,
    genLt,
    gasLimit,
  };
  const result = await runMethod({ ...call, methodId: args.methodId }, signal);
  return shape(mode, servedAccount, result.exitCode, {
    result: writeBoc(result.stack),
    ...(mode & flags.stateProof ? { stateProof: proveRun(servedAccount.cell, result.opened) } : {}),
    ...(mode & flags.c7 ? { c7: writeBoc(firstRegister(mode, result, genUtime, genLt, account)) } : {}),
  });
}

function firstRegister(
  mode: number,
  result: LocalMethodResult,
  genUtime: number,
  genLt: bigint,
  account: Extract<Account, { kind: "account" }>,
): Cell {
  if (mode & flags.wholeC7 && result.c7 !== undefined) return result.c7;
  return storeCell(VmStackValue, shortRegister(genUtime, genLt, result.randomSeed ?? 0n, account));
}

/** A run at a shard block sees the masterchain as that block does. */
function masterOf(block: LedgerBlock, reference: BlockIdExt): BlockIdExt {
  if (reference.workchain === masterchain) return reference;
  const { masterRef } = block.info;
  if (masterRef === undefined) throw badQuery("masterchain ref block is not available");
  return masterBlockId(masterRef);
}

/** The part of the account that a run opened; the whole account if that is unknown. */
function proveRun(account: Cell, opened: LocalMethodResult["opened"]): Uint8Array {
  const reading = readAccounts(account);
  const { root } = reading;
  const value = loadCell(Account, root);
  if (value.kind === "account") openAll(value.storage.balance.extra.root);
  if (opened === undefined) openAll(root);
  else openHashes(root, opened);
  return writeBoc(reading.proof());
}

export const runMethodAnswers: readonly QueryHandler[] = [queryHandler(runSmcMethod, answerRun)];
