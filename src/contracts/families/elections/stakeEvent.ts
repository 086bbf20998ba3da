import type { Cell } from "../../../cell/Cell.ts";
import { type Slice, sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import { type Hash, hash } from "../../../model/Hash.ts";
import type { TraceMessage, TraceTransaction } from "../../../model/Trace.ts";
import { electorOpcodes } from "./messages.ts";

/** What the elector keeps of a stake for its answer. */
const answerCoins = 1_000_000_000n;

/** What a transaction shows of the stake of a validator. */
export interface StakeEvent {
  readonly type: "stake_accepted" | "stake_rejected" | "stake_recovered" | "recover_requested" | "recover_failed";
  readonly holder: Address;
  readonly queryId: bigint;
  readonly amount: bigint;
  /** What the stake was sent for; only of accepted and rejected ones. */
  readonly stake: SentStake | undefined;
  /** Why it was rejected. */
  readonly reason: number | undefined;
}

interface SentStake {
  readonly validatorKey: Hash;
  readonly electionId: number;
  readonly adnlAddress: Hash;
}

/** The event of a transaction, if it shows one: requests to the elector, and what the elector sends to holders. */
export function findStakeEvent(transaction: TraceTransaction, elector: Address): StakeEvent | undefined {
  const { account, inMessage, aborted } = transaction;
  // Bodies of bounced messages may begin like an answer of the elector.
  if (aborted || inMessage === undefined || inMessage.bounced) return undefined;
  const { source, value } = inMessage;
  if (source === undefined || value === undefined || (account !== elector && source !== elector)) return undefined;
  const begun = findQuery(inMessage.body);
  if (begun === undefined) return undefined;
  const { op, queryId, rest } = begun;
  const event = { queryId, amount: value, stake: undefined, reason: undefined };
  if (account === elector) {
    if (op === electorOpcodes.recoverStake) return { ...event, type: "recover_requested", holder: source };
    return op === electorOpcodes.newStake ? answerOf(transaction, { queryId, rest, holder: source, value }) : undefined;
  }
  if (op === electorOpcodes.stakeRecovered) return { ...event, type: "stake_recovered", holder: account };
  return op === electorOpcodes.recoverFailed ? { ...event, type: "recover_failed", holder: account } : undefined;
}

interface SentQuery {
  readonly queryId: bigint;
  readonly rest: Slice;
  readonly holder: Address;
  readonly value: bigint;
}

/** The answer to a stake is among the messages of the same transaction; none is sent for the query 0. */
function answerOf(
  { outMessages }: TraceTransaction,
  { queryId, rest, holder, value }: SentQuery,
): StakeEvent | undefined {
  const stake = findStake(rest);
  if (stake === undefined) return undefined;
  const accepted = value > answerCoins ? value - answerCoins : 0n;
  for (const message of outMessages) {
    const answer = findAnswer(message, queryId);
    if (answer === undefined) continue;
    if (answer.op === electorOpcodes.stakeAccepted)
      return { type: "stake_accepted", holder, queryId, amount: accepted, stake, reason: undefined };
    const reason = answer.rest.remainingBits < 32 ? undefined : answer.rest.loadInt(32);
    return { type: "stake_rejected", holder, queryId, amount: message.value ?? 0n, stake, reason };
  }
  if (queryId !== 0n) return undefined;
  return { type: "stake_accepted", holder, queryId, amount: accepted, stake, reason: undefined };
}

function findAnswer({ body }: TraceMessage, queryId: bigint) {
  const begun = findQuery(body);
  const isAnswer =
    begun?.queryId === queryId &&
    (begun.op === electorOpcodes.stakeAccepted || begun.op === electorOpcodes.stakeRejected);
  return isAnswer ? begun : undefined;
}

// new_stake#4e73744b query_id:uint64 validator_pubkey:bits256 stake_at:uint32 max_factor:uint32 adnl_addr:bits256
//   signature:^bits512
function findStake(rest: Slice): SentStake | undefined {
  if (rest.remainingBits < 256 + 32 + 32 + 256) return undefined;
  const validatorKey = hash.load(rest);
  const electionId = rest.loadUint(32);
  const adnlAddress = hash.load(rest.skip(32));
  return { validatorKey, electionId, adnlAddress };
}

/** The opcode and the id of a query, with which all these bodies begin. */
export function findQuery(
  body: Cell,
): { readonly op: number; readonly queryId: bigint; readonly rest: Slice } | undefined {
  if (body.isExotic || body.bitLength < 96) return undefined;
  const rest = sliceOf(body);
  return { op: rest.loadUint(32), queryId: rest.loadBigUint(64), rest };
}
