import {
  type Address,
  beginCell,
  type Message as CoreMessage,
  type Transaction as CoreTransaction,
  type CurrencyCollection,
  type Dictionary,
  type ExternalAddress,
  storeStateInit,
  type TransactionDescription,
} from "@ton/core";

/** Values of `@ton/core` in the form that `plainValue` gives ours. */

type Core<D extends TransactionDescription["type"]> = Extract<TransactionDescription, { type: D }>;
type Compute = Core<"generic">["computePhase"];
type Action = NonNullable<Core<"generic">["actionPhase"]>;
type Storage = NonNullable<Core<"generic">["storagePhase"]>;
type Bounce = NonNullable<Core<"generic">["bouncePhase"]>;

const absent = <T>(value: T | null | undefined): T | undefined => value ?? undefined;
const hex256 = (value: bigint): string => value.toString(16).padStart(64, "0");

function currency({ coins, other }: CurrencyCollection): unknown {
  const extra = [...((other as Dictionary<number, bigint> | null | undefined) ?? [])];
  return { coins, extra: extra.sort(([a], [b]) => a - b) };
}

const raw = (address: Address): string => address.toRawString();

/** Left-aligned, like ours. */
function external(address: ExternalAddress | null | undefined): unknown {
  if (address === null || address === undefined) return undefined;
  const { bits, value } = address;
  const length = (bits + 7) >> 3;
  const shifted = value << BigInt(length * 8 - bits);
  return { kind: "external", bits, value: length === 0 ? "" : shifted.toString(16).padStart(length * 2, "0") };
}

function coreInfo(info: CoreMessage["info"]): unknown {
  if (info.type === "external-in")
    return { kind: "externalIn", src: external(info.src), dest: raw(info.dest), importFee: info.importFee };
  const { createdLt, createdAt } = info;
  if (info.type === "external-out")
    return { kind: "externalOut", src: raw(info.src), dest: external(info.dest), createdLt, createdAt };
  const { ihrDisabled, bounce, bounced, ihrFee, forwardFee } = info;
  return {
    kind: "internal",
    ihrDisabled,
    bounce,
    bounced,
    src: raw(info.src),
    dest: raw(info.dest),
    value: currency(info.value),
    extraFlags: ihrFee,
    fwdFee: forwardFee,
    createdLt,
    createdAt,
  };
}

/** Without the places of its parts, which `@ton/core` does not keep. */
export function coreMessage({ info, init, body }: CoreMessage): unknown {
  const cell = init && beginCell().store(storeStateInit(init)).endCell();
  return { info: coreInfo(info), init: cell?.hash().toString("hex"), body: body.hash().toString("hex") };
}

const skips = { "no-state": "noState", "bad-state": "badState", "no-gas": "noGas" } as const;

function compute(phase: Compute): unknown {
  if (phase.type === "skipped") return { kind: "skipped", reason: skips[phase.reason] };
  return {
    kind: "vm",
    success: phase.success,
    msgStateUsed: phase.messageStateUsed,
    accountActivated: phase.accountActivated,
    gasFees: phase.gasFees,
    details: {
      gasUsed: Number(phase.gasUsed),
      gasLimit: Number(phase.gasLimit),
      gasCredit: phase.gasCredit === null || phase.gasCredit === undefined ? undefined : Number(phase.gasCredit),
      mode: phase.mode,
      exitCode: phase.exitCode,
      exitArg: absent(phase.exitArg),
      vmSteps: phase.vmSteps,
      vmInitStateHash: hex256(phase.vmInitStateHash),
      vmFinalStateHash: hex256(phase.vmFinalStateHash),
    },
  };
}

const used = ({ cells, bits }: { cells: bigint; bits: bigint }) => ({ cells: Number(cells), bits: Number(bits) });

function action(phase: Action | null | undefined): unknown {
  if (phase === null || phase === undefined) return undefined;
  const { totalFwdFees, totalActionFees, resultArg, specActions, actionListHash, totalMessageSize, ...same } = phase;
  return {
    ...same,
    totalFwdFees: absent(totalFwdFees),
    totalActionFees: absent(totalActionFees),
    resultArg: absent(resultArg),
    specialActions: specActions,
    actionListHash: hex256(actionListHash),
    totalMessageSize: used(totalMessageSize),
  };
}

function storage(phase: Storage | null | undefined): unknown {
  if (phase === null || phase === undefined) return undefined;
  const { storageFeesCollected, storageFeesDue, statusChange } = phase;
  return { feesCollected: storageFeesCollected, feesDue: absent(storageFeesDue), statusChange };
}

function bounce(phase: Bounce | null | undefined): unknown {
  if (phase === null || phase === undefined) return undefined;
  if (phase.type === "negative-funds") return { kind: "negativeFunds" };
  const messageSize = used(phase.messageSize);
  if (phase.type === "no-funds") return { kind: "noFunds", messageSize, requiredFwdFees: phase.requiredForwardFees };
  return { kind: "ok", messageSize, messageFees: phase.messageFees, fwdFees: phase.forwardFees };
}

function description(value: TransactionDescription): unknown {
  if (value.type !== "generic" && value.type !== "tick-tock") throw new Error(`not compared: ${value.type}`);
  const common = {
    storage: storage(value.storagePhase),
    compute: compute(value.computePhase),
    action: action(value.actionPhase),
    aborted: value.aborted,
    destroyed: value.destroyed,
  };
  if (value.type === "tick-tock") return { kind: "tickTock", isTock: value.isTock, ...common };
  const { creditPhase } = value;
  const credit = creditPhase && {
    dueFeesCollected: absent(creditPhase.dueFeesColelcted),
    credit: currency(creditPhase.credit),
  };
  const { creditFirst, bouncePhase } = value;
  return { kind: "ordinary", creditFirst, ...common, credit: absent(credit), bounce: bounce(bouncePhase) };
}

const statuses = { uninitialized: "uninit", frozen: "frozen", active: "active", "non-existing": "nonexist" } as const;

export function coreTransaction(value: CoreTransaction): unknown {
  return {
    account: hex256(value.address),
    lt: value.lt,
    prevHash: hex256(value.prevTransactionHash),
    prevLt: value.prevTransactionLt,
    now: value.now,
    outCount: value.outMessagesCount,
    origStatus: statuses[value.oldStatus],
    endStatus: statuses[value.endStatus],
    messages: {
      in: value.inMessage ? coreMessage(value.inMessage) : undefined,
      out: value.outMessages.values().map(coreMessage),
    },
    totalFees: currency(value.totalFees),
    stateUpdate: {
      oldHash: value.stateUpdate.oldHash.toString("hex"),
      newHash: value.stateUpdate.newHash.toString("hex"),
    },
    description: description(value.description),
  };
}
