import { expect, it } from "vitest";
import { readFacts } from "../../../kit/contracts/corpusFacts.ts";
import { makeTrace } from "../../../kit/model/corpusTrace.ts";
import { describeCorpusPart, reportAbsent } from "../../../kit/suite/corpus.ts";
import { beginCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { sliceOf } from "../../../src/cell/Slice.ts";
import { classify } from "../../../src/contracts/classify.ts";
import type { Action } from "../../../src/contracts/engine/Action.ts";
import type { Trace, TraceMessage, TraceTransaction } from "../../../src/model/Trace.ts";
import { readRecordedCases } from "../../kit/contracts/traceCases.ts";
import {
  addReply,
  copyBranch,
  findByOpcodes,
  listByOpcodes,
  parentOf,
  replaceBody,
} from "../../kit/contracts/varyTrace.ts";
import { query } from "../../kit/model/testTrace.ts";

const excess = 0xd53276db;
const bounce = 0xffffffff;

/** Opcodes of messages, each sent by the transaction that the one before led to. */
type Path = readonly number[];

/** A recorded trace, and the actions of it and of its variations. */
interface Opened {
  readonly trace: Trace;
  readonly list: (trace: Trace) => readonly Action[];
}

/** The first action of a type. */
function pick(actions: readonly Action[], type: string): Action {
  const found = actions.find((action) => action.type === type);
  if (found === undefined) throw new Error(`no ${type}`);
  return found;
}

function sorted(hashes: Iterable<string>): string[] {
  return [...new Set(hashes)].sort();
}

function sender(trace: Trace, transaction: TraceTransaction): TraceTransaction {
  const traceTransaction = parentOf(trace, transaction);
  if (traceTransaction === undefined) throw new Error("the transaction has no sender");
  return traceTransaction;
}

/** The hashes of the transactions that a variation added. */
function addedTo(trace: Trace, varied: Trace): string[] {
  return varied.transactions.slice(trace.transactions.length).map(({ hash }) => hash);
}

/** The details of all actions of exchanges. */
function dexDetails({ list }: Opened, trace: Trace): unknown[] {
  return list(trace).flatMap(({ type, details }) => (/^dex_/.test(type) ? [details] : []));
}

describeCorpusPart("variations of the recorded traces", "traces/*.json", (folder) => {
  const recorded = [...readRecordedCases(folder)].map(({ name, input }) => {
    const facts = readFacts(input.interfaces);
    const trace = makeTrace(input.trace, input.transactions);
    const list = (each: Trace) => classify(each, facts).actions;
    return { name, trace, list, types: new Set(list(trace).map(({ type }) => type)) };
  });

  /** Declares a rule for each recorded trace with an action of the type and transactions after all these opcodes. */
  function rule(words: string, type: string, paths: readonly Path[], check: (opened: Opened) => void): void {
    const meant = recorded.filter(({ trace, types }) => types.has(type) && paths.every((path) => has(trace, path)));
    if (meant.length === 0) reportAbsent("a trace for the rule:", [words]);
    for (const { name, ...opened } of meant) it(`${words}: ${name}`, () => check(opened));
  }

  const minted = [
    ["coffee_create_pool", [0xc0ffee22, 0x178d4519, excess]],
    ["dex_deposit_liquidity", [0xc0ffee29, 0x178d4519, excess]],
  ] as const;
  for (const [type, path] of minted) {
    const words = `${type} contains the bounce of the excess that comes with liquidity tokens`;
    rule(words, type, [path], ({ trace, list }) => {
      const varied = addReply(trace, findByOpcodes(trace, path), bounce);
      const [before, after] = [pick(list(trace), type), pick(list(varied), type)];
      expect(sorted(after.transactions)).toEqual(sorted([...before.transactions, ...addedTo(trace, varied)]));
      expect(after.details).toEqual(before.details);
    });
  }

  const referral = [0x55c35b40, 0x55c35b40];
  rule("jvault_stake follows only the first message to a referrer", "jvault_stake", [referral], ({ trace, list }) => {
    const first = findByOpcodes(trace, referral);
    const varied = copyBranch(trace, first, sender(trace, first));
    const [before, after] = [pick(list(trace), "jvault_stake"), pick(list(varied), "jvault_stake")];
    expect(sorted(after.transactions)).toEqual(sorted(before.transactions));
  });

  const [toReferrer, toUpdate] = [
    [0xf5c5baa3, 0x55c35b40],
    [0x55c35b40, 0x076ee4e0],
  ] as const;
  const senders = [
    ["behind", (_trace: Trace, update: TraceTransaction) => update],
    ["beside", (trace: Trace, update: TraceTransaction) => sender(trace, update)],
  ] as const;
  for (const [side, findSender] of senders) {
    const words = `jvault_stake contains the messages to the next referrer ${side} the update of the first`;
    rule(words, "jvault_stake", [toReferrer, toUpdate], ({ trace, list }) => {
      const first = findByOpcodes(trace, toReferrer);
      const varied = copyBranch(trace, first, findSender(trace, findByOpcodes(trace, toUpdate)));
      const [before, after] = [pick(list(trace), "jvault_stake"), pick(list(varied), "jvault_stake")];
      expect(sorted(after.transactions)).toEqual(sorted([...before.transactions, ...addedTo(trace, varied)]));
    });
  }

  const paidSwap = [0x6664de2a, 0x657b54f5];
  rule("a swap that its pool pays twice is part of no jetton_swap", "jetton_swap", [paidSwap], ({ trace, list }) => {
    const payment = findByOpcodes(trace, paidSwap);
    const swap = sender(trace, payment);
    const swapTypes = (each: Trace) =>
      list(each).flatMap(({ type, transactions }) => (transactions.includes(swap.hash) ? [type] : []));
    expect(swapTypes(copyBranch(trace, payment, swap))).not.toContain("jetton_swap");
  });

  const copied = [
    ["of tonco lists only the first refunds", [0x3ebe5431, 0x81702ef8]],
    ["of dedust lists a returned transfer once", [0x6b0b787f, 0x0f8a7ea5, 0x178d4519]],
  ] as const;
  for (const [words, path] of copied) {
    rule(`dex_deposit_liquidity ${words}`, "dex_deposit_liquidity", [path], (opened) => {
      const call = findByOpcodes(opened.trace, path);
      const varied = copyBranch(opened.trace, call, sender(opened.trace, call));
      expect(dexDetails(opened, varied)).toEqual(dexDetails(opened, opened.trace));
    });
  }

  const cutBodies = [
    [0x595f07bc, "tgbtc_burn"],
    [0xed58b0b2, "stake_withdrawal"],
    [0x0c7b8418, "layerzero_receive"],
    [0x3cb38090, "layerzero_dvn_verify"],
    [0xa2b5fbae, "layerzero_send"],
  ] as const;
  for (const [opcode, type] of cutBodies) {
    rule(`${type} needs only what it reads of a body that is too short`, type, [[opcode]], ({ trace, list }) => {
      const cut = findByOpcodes(trace, [opcode]);
      const varied = replaceBody(trace, cut, withoutEnd(cut, 1));
      const own = (each: Trace) => list(each).filter((action) => action.type === type);
      expect(own(varied)).toEqual(own(trace));
    });
  }

  const returned = [0x6b0b787f, 0x0f8a7ea5, 0x178d4519];
  const unreadable =
    "dex_deposit_liquidity of dedust takes a returned amount from the order if the arrival is unreadable";
  rule(unreadable, "dex_deposit_liquidity", [returned], (opened) => {
    const varied = replaceBody(opened.trace, findByOpcodes(opened.trace, returned), query(0x178d4519));
    expect(dexDetails(opened, varied)).toEqual(dexDetails(opened, opened.trace));
  });

  const funds = "dex_deposit_liquidity of tonco needs only the wallet and the amounts of the order";
  rule(funds, "dex_deposit_liquidity", [[0x7362d09c, 0x4468de77]], ({ trace, list }) => {
    const deposits = (each: Trace) => list(each).filter(({ type }) => type === "dex_deposit_liquidity");
    const notices = trace.transactions.filter(({ inMessage }) => inMessage && isFundNotice(inMessage.body));
    const varied = notices.reduce((each, { inMessage }) => {
      const notice = each.transactions.find((other) => other.inMessage?.hash === inMessage?.hash) as TraceTransaction;
      return replaceBody(each, notice, withCutOrder((inMessage as TraceMessage).body));
    }, trace);
    expect(notices.length).toBeGreaterThan(0);
    expect(deposits(varied)).toEqual(deposits(trace));
  });

  rule(
    "coffee events may lack the fields that later versions added",
    "jetton_swap",
    [[0xc0ffee20]],
    ({ trace, list }) => {
      const cutLogs = (message: TraceMessage): TraceMessage =>
        message.destination === undefined && sliceOf(message.body).loadUint(32) === 0xc0ffee30
          ? { ...message, body: cutBody(message, 1) }
          : message;
      const transactions = trace.transactions.map((each) => ({ ...each, outMessages: each.outMessages.map(cutLogs) }));
      const swaps = (each: Trace) => list(each).filter(({ type }) => type === "jetton_swap");
      expect(swaps({ ...trace, transactions })).toEqual(swaps(trace));
    },
  );

  const [order, payment] = [
    [0x7362d09c, 0xa7fb58f8],
    [0xa7fb58f8, 0xa1daa96d],
  ] as const;
  const least = "jetton_swap of tonco without a readable step takes its least amount from the payout";
  rule(least, "jetton_swap", [order, payment], ({ trace, list }) => {
    const step = findByOpcodes(trace, order);
    const { success, details } = pick(list(replaceBody(trace, step, withoutEnd(step, 1))), "jetton_swap");
    const { min_out_amount: amount, dex_outgoing_transfer: outgoing } = details;
    expect(success).toBe(false);
    expect(amount).toBe((outgoing as { readonly amount: unknown }).amount);
  });

  const failed = "a tonco payment of a swap that is cut makes the swap a failed one";
  rule(failed, "jetton_swap", [order, payment], ({ trace, list }) => {
    const paid = findByOpcodes(trace, payment);
    const isOfSwap = ({ type, transactions }: Action) => type === "jetton_swap" && transactions.includes(paid.hash);
    const successes = (each: Trace) => list(each).flatMap((action) => (isOfSwap(action) ? [action.success] : []));
    const varied = replaceBody(trace, paid, withoutEnd(paid, 1));
    expect(successes(varied)).toEqual(successes(trace).map(() => false));
  });
});

/** Whether messages with these opcodes, one after another, lead to a transaction. */
function has(trace: Trace, path: Path): boolean {
  return listByOpcodes(trace, path).length > 0;
}

/** The body of the received message without its last bits. */
function withoutEnd({ inMessage }: TraceTransaction, bits: number): Cell {
  return cutBody(inMessage as TraceMessage, bits);
}

function cutBody(message: TraceMessage, bits: number): Cell {
  const body = sliceOf(message.body);
  const builder = beginCell();
  for (let left = body.remainingBits - bits; left > 0; left--) builder.storeBit(body.loadBit());
  while (body.remainingRefs > 0) builder.storeRef(body.loadRef());
  return builder.cell();
}

/** Whether a notice of jettons carries an order to fund a position in its reference. */
function isFundNotice(body: Cell): boolean {
  const [order] = body.refs();
  if (order === undefined || body.bitLength < 32 || sliceOf(body).loadUint(32) !== 0x7362d09c) return false;
  return order.bitLength >= 32 && sliceOf(order).loadUint(32) === 0x4468de77;
}

/** The notice with the last bit of its order cut off. */
function withCutOrder(body: Cell): Cell {
  const [order] = body.refs();
  const bits = sliceOf(order as Cell);
  const cut = beginCell();
  for (let left = bits.remainingBits - 1; left > 0; left--) cut.storeBit(bits.loadBit());
  const slice = sliceOf(body);
  const notice = beginCell();
  while (slice.remainingBits > 0) notice.storeBit(slice.loadBit());
  return notice.storeRef(cut.cell()).cell();
}
