import { createHash } from "node:crypto";
import type { Cell } from "../../cell/Cell.ts";
import type { Chain } from "../../chain/Chain.ts";
import { ChainError } from "../../chain/errors.ts";
import { findMeaning } from "../../chain/pending/pendingMeaning.ts";
import { findDestination } from "../../chain/pending/pendingRun.ts";
import { chainAt } from "../../chain/pinned/atBlock.ts";
import { type EmulationRules, emulate, type WholeEmulation } from "../../chain/run/emulation.ts";
import { overrideState, type StateOverride } from "../../chain/run/stateOverrides.ts";
import { supportedTypes } from "../../contracts/visibility.ts";
import { systemClock } from "../../lib/clock.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import { isCoded } from "../../lib/errors.ts";
import { runInTurns } from "../../lib/sharing/steps.ts";
import { TurnBudget } from "../../lib/TurnBudget.ts";
import type { TransactionPoint } from "../../lite/queries/transactions.ts";
import type { ShardAccount } from "../../model/Account.ts";
import type { Address } from "../../model/Address.ts";
import { type Hash, hashFromBytes } from "../../model/Hash.ts";
import { loadInCell, Message } from "../../model/Message.ts";
import { normalizedHash } from "../../model/normalizedHash.ts";
import { ApiError } from "../declare/errors.ts";
import { emulatedActions } from "../v3/pending/emulated.ts";
import { sumAccountFlows } from "./accountFlows.ts";
import type { EmulationAnswer } from "./answer.ts";
import { emulationLimits, maxLogBytes } from "./args.ts";
import { describeAccounts } from "./describeAccounts.ts";
import { describeRun } from "./describeRun.ts";
import type { EmulateServices } from "./Services.ts";

/** The options of a run. */
export interface EmulationWish {
  readonly seqno: number | undefined;
  readonly signatures: "check" | "ignore";
  readonly withActions: boolean;
  readonly withBook: boolean;
  readonly withMetadata: boolean;
  readonly withLog: boolean;
  /** Whether to sum the gains and losses of each account. */
  readonly withFlow: boolean;
  readonly isDeterministic: boolean;
  readonly onPending: boolean;
  readonly now: number | undefined;
  readonly timeOffset: number | undefined;
  readonly overrides: ReadonlyMap<Address, StateOverride>;
  /** Names of action types that the caller supports. */
  readonly actionTypes: string | undefined;
}

/** Runs a message and everything it causes, and collects the data of the answer. */
export async function runMessage(
  newest: Chain,
  message: Cell,
  wish: EmulationWish,
  services: EmulateServices,
): Promise<EmulationAnswer> {
  const { seqno: atSeqno } = wish;
  const chain = atSeqno === undefined ? newest : await readAt(atSeqno, () => chainAt(newest, atSeqno));
  const destination = findDestination(message);
  if (destination === undefined)
    throw new ChainError("chain/no-message", "an outbound external message starts no trace");
  const { seqno } = chain.head.block;
  const randomSeed = seedOf(chain, message, wish, services);
  const run = () =>
    emulate(chain, message, namesOf(message), destination, {
      ...emulationLimits,
      ...{ randomSeed, mcSeqno: seqno + 1, signatures: wish.signatures, now: timeOf(chain, wish) },
      log: wish.withLog ? "stack" : "none",
      inSteps: true,
      findState: stateFinder(wish, services),
    });
  const outcome = await (atSeqno === undefined ? run() : readAt(atSeqno, run));
  if (outcome.kind === "notAccepted") {
    throw new ChainError("chain/not-accepted", "the account does not accept the message", {
      data: { exitCode: outcome.exitCode },
    });
  }
  return gather(chain, outcome, { message, randomSeed, wish, services });
}

/** Reads the chain at a block; lite servers may not have old ones, nor blocks of shards that had none by then. */
async function readAt<T>(seqno: number, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (!isCoded(cause, "lite/server") && !isCoded(cause, "lite/none")) throw cause;
    throw new ApiError("api/no-block", `failed to fetch mc block  ${seqno}: ${cause.message}`, { cause });
  }
}

function namesOf(message: Cell): { readonly hash: Hash; readonly normalizedHash: Hash } {
  const { info, body } = loadInCell(Message, message);
  const hash = message.hash();
  return { hash, normalizedHash: info.kind === "externalIn" ? normalizedHash({ info, body }) : hash };
}

function seedOf(chain: Chain, message: Cell, wish: EmulationWish, { random }: EmulateServices): Hash {
  if (!wish.isDeterministic) return hashFromBytes(random.bytes(32));
  const text = `${chain.head.block.rootHash}${message.hash()}`;
  return createHash("sha256").update(text, "hex").digest("hex") as Hash;
}

/** The time of the named block, or the current time. */
function timeOf(chain: Chain, { seqno, now, timeOffset }: EmulationWish): number | undefined {
  if (now === undefined && timeOffset === undefined && seqno === undefined) return undefined;
  const base = now ?? (seqno === undefined ? chain.nowAt() : chain.head.genUtime + 1);
  return Math.max(0, base + (timeOffset ?? 0));
}

function stateFinder({ overrides, onPending }: EmulationWish, { index }: EmulateServices): EmulationRules["findState"] {
  if (overrides.size === 0 && !onPending) return undefined;
  return (address: Address, last: TransactionPoint, onChain: () => ShardAccount) => {
    const pending = onPending ? index?.pending.findState(address, last) : undefined;
    const override = overrides.get(address);
    return override === undefined ? pending : overrideState(address, pending ?? onChain(), override);
  };
}

interface Gathering {
  readonly message: Cell;
  readonly randomSeed: Hash;
  readonly wish: EmulationWish;
  readonly services: EmulateServices;
}

async function gather(chain: Chain, run: WholeEmulation, gathering: Gathering): Promise<EmulationAnswer> {
  const { message, randomSeed, wish, services } = gathering;
  const { index } = services;
  const { signal } = chain.asking;
  const turns = new TurnBudget(systemClock);
  const place = { head: chain.head.block, messageHash: message.hash(), randomSeed };
  const described = await runInTurns(describeRun(run, place, services.abis?.library()), () => {
    // A caller that left gets no description.
    throwIfAborted(signal);
    return turns.yieldIfDue();
  });
  const classification =
    wish.withActions && index !== undefined
      ? await findMeaning(run.trace, run.contracts, index.gatherFacts, signal)
      : undefined;
  const supported = supportedTypes(wish.actionTypes === undefined ? ["latest"] : [wish.actionTypes]);
  const actions = emulatedActions({ trace: run.trace, classification }, supported)
    .toSorted((a, b) => compare(b.endLt, a.endLt) || compare(b.startLt, a.startLt))
    .map((head) => ({ head, withAccounts: true, transactions: undefined, finality: "pending" as const }));
  const { contracts } = run;
  const about = await describeAccounts(
    { transactions: described.transactions, actions, contracts },
    wish,
    index,
    chain,
  );
  return {
    ...described,
    ...about,
    actions,
    logs: wish.withLog ? boundLogs(run.logs) : undefined,
    valueFlow: wish.withFlow ? await sumAccountFlows(described.transactions, contracts, index, signal) : undefined,
  };
}

function compare(a: bigint, b: bigint): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Logs up to the maximum bytes of an answer; the rest is left out. */
function boundLogs(logs: ReadonlyMap<Hash, string>): ReadonlyMap<Hash, string> {
  let left = maxLogBytes;
  return new Map(
    [...logs].map(([hash, log]) => {
      const kept = log.slice(0, left);
      left -= kept.length;
      return [hash, kept];
    }),
  );
}
