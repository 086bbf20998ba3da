import type { Replay } from "../../chain/replay/replay.ts";
import type { AbiLibrary } from "../../contracts/AbiLibrary.ts";
import type { ActionPhase, ComputePhase } from "../../model/phases.ts";
import { ContractWords } from "./contractWords.ts";

/** Exit codes of the machine and the phases; others belong to the contract. */
const exitWords: ReadonlyMap<number, string> = new Map([
  [0, "success"],
  [1, "success (alternative)"],
  [2, "stack underflow"],
  [3, "stack overflow"],
  [4, "integer overflow or division by zero"],
  [5, "integer out of range"],
  [6, "invalid opcode"],
  [7, "wrong type on the stack"],
  [8, "cell overflow"],
  [9, "cell underflow"],
  [10, "dictionary error"],
  [11, "unknown error, often an unknown method or message"],
  [12, "fatal error"],
  [13, "out of gas"],
  [-14, "out of gas"],
  [-13, "no code"],
  [32, "the list of actions is invalid"],
  [33, "too many actions"],
  [34, "an action is invalid or not supported"],
  [35, "invalid source address in a message"],
  [36, "invalid destination address in a message"],
  [37, "not enough coins"],
  [38, "not enough extra currency"],
  [39, "a message does not fit into a cell"],
  [40, "a message is too large or cannot be paid for"],
  [41, "a library is missing"],
  [42, "libraries cannot be changed"],
  [43, "a library is too large"],
  [44, "too many extra currencies in a message"],
  [45, "invalid flags of a message"],
  [46, "libraries may not be changed by this account"],
  [47, "the messages of a transaction are too large together"],
  [50, "the new state is too large"],
]);

/** An exit or result code with its meaning; `ofContract` is what it means to the contract. */
export function exitInWords(code: number, ofContract?: string): string {
  return `${code} (${ofContract ?? exitWords.get(code) ?? "defined by the contract"})`;
}

/** What a code of the compute phase means to the contract: it may use numbers that phases use as well. */
function wordsOfContract(replay: Replay, exitCode: number, library: AbiLibrary | undefined): string | undefined {
  return wordsOf(replay, library)?.findError(exitCode);
}

/** What ABIs say of the contract; a replay that failed has none. */
export function wordsOf({ address, outcome }: Replay, library?: AbiLibrary): ContractWords | undefined {
  return outcome.kind === "done" ? new ContractWords(address, outcome.account, library) : undefined;
}

/** Gas per family of instructions as lines. */
export function formatGas(families: readonly (readonly [family: string, gas: number])[]): string[] {
  return families.map(([family, gas]) => `  ${family.padEnd(14)} ${gas}`);
}

/** The result of a transaction as plain values; amounts and logical times are text. */
export function replayFacts(replay: Replay, library?: AbiLibrary) {
  const { address, transaction, outcome, isEqual } = replay;
  const { description } = transaction;
  const found =
    outcome.kind === "done" ? { replayedHash: outcome.transaction.cell.hash() } : { reason: reasonOf(outcome) };
  return {
    ...{ account: address, lt: String(transaction.lt), hash: transaction.cell.hash(), equal: isEqual, ...found },
    ...("compute" in description && { compute: computeFacts(description.compute, replay, library) }),
    ...("action" in description && description.action !== undefined && { action: actionFacts(description.action) }),
  };
}

function computeFacts(compute: ComputePhase, replay: Replay, library: AbiLibrary | undefined) {
  if (compute.kind === "skipped") return { skipped: compute.reason };
  const { exitCode, gasUsed, gasLimit, vmSteps } = compute.details;
  const meaning = exitInWords(exitCode, wordsOfContract(replay, exitCode, library));
  return {
    ...{ exitCode, meaning, gasUsed: String(gasUsed), gasLimit: String(gasLimit) },
    ...{ gasFees: String(compute.gasFees), steps: vmSteps },
  };
}

function actionFacts({ resultCode, totalActions, messagesCreated, skippedActions }: ActionPhase) {
  return { resultCode, meaning: exitInWords(resultCode), totalActions, messagesCreated, skippedActions };
}

/** The result of a transaction as text. */
export function formatReplay(replay: Replay, library?: AbiLibrary): string {
  const { address, transaction, outcome, isEqual } = replay;
  const hash = transaction.cell.hash();
  const found = outcome.kind === "done" ? outcome.transaction.cell.hash() : reasonOf(outcome);
  const verdict = isEqual ? "equal" : `DIFFERENT: ${found}`;
  return [`${address} lt ${transaction.lt} ${hash}: ${verdict}`, ...phaseLines(replay, library)].join("\n");
}

function reasonOf(outcome: Exclude<Replay["outcome"], { kind: "done" }>): string {
  return outcome.kind === "failed" ? `${outcome.code} ${outcome.reason}` : outcome.reason;
}

function phaseLines(replay: Replay, library: AbiLibrary | undefined): string[] {
  const { description } = replay.transaction;
  const lines: string[] = [];
  if ("storage" in description && description.storage !== undefined) {
    const { feesCollected, feesDue, statusChange } = description.storage;
    lines.push(`  storage: ${feesCollected} collected, ${feesDue ?? 0n} due, status ${statusChange}`);
  }
  if ("credit" in description && description.credit !== undefined)
    lines.push(`  credit: ${description.credit.credit.coins}`);
  if ("compute" in description) lines.push(`  compute: ${computeLine(description.compute, replay, library)}`);
  if ("action" in description && description.action !== undefined) {
    const { resultCode, totalActions, messagesCreated, skippedActions } = description.action;
    const counts = `${totalActions} actions, ${messagesCreated} messages, ${skippedActions} skipped`;
    lines.push(`  action: ${exitInWords(resultCode)}, ${counts}`);
  }
  if ("bounce" in description && description.bounce !== undefined) lines.push(`  bounce: ${description.bounce.kind}`);
  return lines;
}

function computeLine(compute: ComputePhase, replay: Replay, library: AbiLibrary | undefined): string {
  if (compute.kind === "skipped") return `skipped, ${compute.reason}`;
  const { exitCode, gasUsed, gasLimit, vmSteps } = compute.details;
  const meaning = exitInWords(exitCode, wordsOfContract(replay, exitCode, library));
  return `exit code ${meaning}, gas ${gasUsed} of ${gasLimit}, fees ${compute.gasFees}, ${vmSteps} steps`;
}
