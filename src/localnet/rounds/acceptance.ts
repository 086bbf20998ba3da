import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import type { Clock } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import type { ShardAccount } from "../../model/Account.ts";
import { type Address, accountOf } from "../../model/Address.ts";
import { noCurrency } from "../../model/Currency.ts";
import { zeroHash } from "../../model/Hash.ts";
import { Message } from "../../model/Message.ts";
import { wholeSlice } from "../../model/vm/VmCellSlice.ts";
import type { AccountRun, Executor, RefusedExternal } from "../../tvm/Executor.ts";
import type { Submission } from "../answers/kit/AnswerContext.ts";
import { refusalCode } from "../answers/kit/refusal.ts";
import { headView } from "../ledger/ChainView.ts";
import type { Ledger } from "../ledger/Ledger.ts";
import type { Environments } from "./Environments.ts";

export interface AcceptanceModules {
  readonly ledger: Ledger;
  readonly environments: Environments;
  readonly executor: Executor;
  readonly clock: Clock;
  /** How far the chain's time is ahead of the machine's. */
  readonly aheadSeconds: number;
}

/** The state and configuration that a message is tried on: the newest ones. */
interface Trial {
  readonly dest: Address;
  readonly message: Cell;
  readonly account: ShardAccount;
  readonly lt: bigint;
  readonly environment: Omit<AccountRun, "account" | "lt">;
}

/** Runs an external message on the newest state and returns whether its contract accepts it; nothing changes. */
export async function tryMessage(
  modules: AcceptanceModules,
  dest: Address,
  message: Cell,
  signal?: AbortSignal,
): Promise<Submission> {
  const { executor } = modules;
  const trial = makeTrial(modules, dest, message);
  const run = { account: trial.account, lt: trial.lt, message, ...trial.environment };
  try {
    const outcome = await executor.runAcceptance(run, signal);
    if (outcome.kind === "accepted") return { kind: "accepted" };
    // The log of the machine is needed only now, and costs more than the run.
    const logged = await executor.runAcceptance({ ...run, log: "instructions" }, signal);
    if (logged.kind === "accepted") return { kind: "accepted" };
    const expiry = (await isExpired(modules, trial, signal)) ? describeExpiry(modules.aheadSeconds) : "";
    return refuse(dest, logged, await countSteps(executor, trial, signal), expiry);
  } catch (error) {
    // A message that crashes the machine would crash it in a block too.
    if (!isCoded(error, "tvm/input") && !isCoded(error, "tvm/crash")) throw error;
    return { kind: "refused", code: refusalCode.plain, message: `${notAccepted}: ${error.message}` };
  }
}

/**
 * Whether a refused message would be accepted if the chain's time were that of the machine: then it only came too late.
 */
async function isExpired(
  { executor, aheadSeconds }: AcceptanceModules,
  { environment, account, lt, message }: Trial,
  signal?: AbortSignal,
): Promise<boolean> {
  const then = { ...environment, now: environment.now - aheadSeconds };
  const state = account.account.load();
  // An account that paid for its storage later than that cannot be run then.
  if (aheadSeconds === 0 || (state.kind === "account" && state.storageInfo.lastPaid > then.now)) return false;
  const { kind } = await executor.runAcceptance({ ...then, account, lt, message }, signal);
  return kind === "accepted";
}

function describeExpiry(aheadSeconds: number): string {
  return `expired: this network's clock is ${aheadSeconds.toLocaleString("en-US")} s ahead of yours: `;
}

function makeTrial({ ledger, clock, environments }: AcceptanceModules, dest: Address, message: Cell): Trial {
  const view = headView(ledger);
  const { genUtime, genLt } = view.state(view.findHome(dest) ?? view.head);
  const environment = {
    now: Math.max(genUtime, Math.floor(clock.now() / 1000)),
    randomSeed: zeroHash,
    caller: "sent messages",
    ...environments.impersonated.environmentFor(message, environments.at(view.head)),
  };
  return { dest, message, account: view.shardAccount(dest), lt: genLt + 1n, environment };
}

// The entry point of external messages.
const externalEntry = -1;
/** The gas limit before acceptance. */
const creditGas = 10_000n;
const executed = /^execute /gm;

/**
 * The number of executed instructions. The machine does not report it for refused messages and cuts their log, so the
 * same entry point is run like a get-method, whose log is complete; up to the refusal both do the same.
 */
async function countSteps(executor: Executor, trial: Trial, signal?: AbortSignal): Promise<number> {
  const { dest, environment } = trial;
  const { init, body } = loadCell(Message, trial.message);
  const account = trial.account.account.load();
  const isActive = account.kind === "account" && account.storage.state.kind === "active";
  const { code, data } = (isActive ? account.storage.state.init : init) ?? {};
  if (code === undefined || data === undefined) return 0;
  const balance = account.kind === "account" ? account.storage.balance : noCurrency;
  const outcome = await executor.runGetMethod(
    {
      ...environment,
      address: dest,
      code,
      data,
      balance,
      method: externalEntry,
      stack: [
        { kind: "int", value: balance.coins },
        { kind: "int", value: 0n },
        { kind: "cell", cell: trial.message },
        { kind: "slice", slice: wholeSlice(body) },
      ],
      gasLimit: creditGas,
      log: "instructions",
    },
    signal,
  );
  return outcome.log.match(executed)?.length ?? 0;
}

const notAccepted = "External message was not accepted: cannot run message on account";
/** The node's error number for messages that contracts refuse. */
const turnedAway = -701;
/** The length of the machine's log in a node's error. */
const logTail = 256;

/** The node's text; what it calls a transaction is the account. */
function refuse(dest: Address, { exitCode, log }: RefusedExternal, steps: number, expiry: string): Submission {
  const tail = log === "" ? "" : `\nVM Log (truncated):\n...${log.slice(-logTail)}`;
  const words = `inbound external message rejected by transaction ${accountOf(dest).toUpperCase()}`;
  const figures = `exitcode=${exitCode ?? 0}, steps=${steps}, gas_used=0`;
  return { kind: "refused", code: turnedAway, message: `${notAccepted}: ${expiry}${words}:\n${figures}${tail}` };
}
