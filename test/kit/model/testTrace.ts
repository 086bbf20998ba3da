import { createHash } from "node:crypto";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import type { StateInit } from "../../../src/model/StateInit.ts";
import type { Trace, TraceMessage, TraceTransaction } from "../../../src/model/Trace.ts";

/** An account derived from a name. */
export function account(name: string): Address {
  return makeAddress(0, hashOf(`account ${name}`));
}

function hashOf(text: string): Hash {
  return createHash("sha256").update(text).digest("hex") as Hash;
}

/** A message and the messages it causes; without `to` it is a log. */
export interface Step {
  readonly to?: Address;
  readonly value?: bigint;
  readonly body?: Cell;
  readonly aborted?: boolean;
  readonly exitCode?: number;
  readonly deploys?: boolean;
  readonly bounce?: boolean;
  readonly init?: StateInit;
  readonly causes?: readonly Step[];
}

/** A trace started by an external message to `wallet`. */
export function makeTestTrace(wallet: Address, steps: readonly Step[], body: Cell = emptyCell): Trace {
  const transactions: TraceTransaction[] = [];
  const clock = { lt: 1000n };
  const root = makeMessage(undefined, { to: wallet, body }, undefined, "root");
  add(transactions, { to: wallet, causes: steps, body }, root, clock);
  const last = transactions.reduce((a, b) => (b.lt > a.lt ? b : a));
  const [first] = transactions;
  return {
    id: (first as TraceTransaction).hash,
    externalHash: root.hash,
    externalHashNormalized: undefined,
    endLt: last.lt,
    endAt: last.now,
    mcSeqnoEnd: 1,
    transactions,
  };
}

function add(transactions: TraceTransaction[], step: Step, inMessage: TraceMessage, clock: { lt: bigint }): void {
  const to = step.to as Address;
  clock.lt += 1000n;
  const { lt } = clock;
  const at = transactions.length;
  const steps = step.causes ?? [];
  const out = steps.map((next, index) => makeMessage(to, next, lt + BigInt(index + 1), `${at}/${index}`));
  transactions.push({
    hash: hashOf(`transaction ${at}`),
    account: to,
    lt,
    now: 1_700_000_000 + at,
    mcSeqno: 1,
    isTickTock: false,
    aborted: step.aborted ?? false,
    emulated: false,
    origStatus: step.deploys ? "nonexist" : "active",
    endStatus: "active",
    exitCode: step.exitCode ?? 0,
    computeSkipped: undefined,
    inMessage,
    outMessages: out,
  });
  steps.forEach((next, index) => {
    if (next.to !== undefined) add(transactions, next, out[index] as TraceMessage, clock);
  });
}

function makeMessage(source: Address | undefined, step: Step, lt: bigint | undefined, name: string): TraceMessage {
  const isInternal = source !== undefined && step.to !== undefined;
  return {
    hash: hashOf(`message ${name}`),
    source,
    destination: step.to,
    value: isInternal ? (step.value ?? 1_000_000_000n) : undefined,
    extra: new Map(),
    createdLt: lt,
    createdAt: lt === undefined ? undefined : 1_700_000_000,
    bounce: step.bounce ?? true,
    bounced: false,
    body: step.body ?? emptyCell,
    init: step.init,
  };
}

/** The body of a plain transfer with a comment. */
export function comment(text: string): Cell {
  return beginCell().storeUint(0, 32).storeBytes(Buffer.from(text)).cell();
}

/** A body with an opcode and a query id. */
export function query(opcode: number, queryId = 7n): Cell {
  return beginCell().storeUint(opcode, 32).storeBigUint(queryId, 64).cell();
}
