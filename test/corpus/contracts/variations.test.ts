import { expect, it } from "vitest";
import { readFacts } from "../../../kit/contracts/corpusFacts.ts";
import { makeTrace } from "../../../kit/model/corpusTrace.ts";
import { describeCorpus, readJson } from "../../../kit/suite/corpus.ts";
import { beginCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { sliceOf } from "../../../src/cell/Slice.ts";
import { classify } from "../../../src/contracts/classify.ts";
import type { Action } from "../../../src/contracts/engine/Action.ts";
import type { Trace, TraceMessage, TraceTransaction } from "../../../src/model/Trace.ts";
import type { TraceCase } from "../../kit/contracts/compareCase.ts";
import { addReply, copyBranch, findByOpcodes, parentOf, replaceBody } from "../../kit/contracts/varyTrace.ts";
import { query } from "../../kit/model/testTrace.ts";

const excess = 0xd53276db;
const bounce = 0xffffffff;

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
  const found = parentOf(trace, transaction);
  if (found === undefined) throw new Error("the transaction has no sender");
  return found;
}

describeCorpus("variations of the recorded traces", (folder) => {
  const open = (name: string) => {
    const { input } = readJson(folder, `traces/${name}.json`) as TraceCase;
    const facts = readFacts(input.interfaces);
    return {
      trace: makeTrace(input.trace, input.transactions),
      list: (trace: Trace) => classify(trace, facts).actions,
    };
  };

  const minted = [
    ["coffee--coffee-create-pool-full-and-simple", "coffee_create_pool", [0xc0ffee22, 0x178d4519, excess]],
    [
      "coffee--coffee-deposit-liquidity-ton-arbuz-with-vault-excess",
      "dex_deposit_liquidity",
      [0xc0ffee29, 0x178d4519, excess],
    ],
  ] as const;
  for (const [name, type, path] of minted) {
    it(`${type} contains the bounce of the excess that comes with liquidity tokens`, () => {
      const { trace, list } = open(name);
      const varied = addReply(trace, findByOpcodes(trace, path), bounce);
      const added = varied.transactions.slice(trace.transactions.length).map(({ hash }) => hash);
      const [before, after] = [pick(list(trace), type), pick(list(varied), type)];
      expect(sorted(after.transactions)).toEqual(sorted([...before.transactions, ...added]));
      expect(after.details).toEqual(before.details);
    });
  }

  it("jvault_stake follows only the first message to a referrer", () => {
    const { trace, list } = open("jvault--stake-full-referral-call-chain");
    const first = findByOpcodes(trace, [0x55c35b40, 0x55c35b40]);
    const varied = copyBranch(trace, first, sender(trace, first));
    const [before, after] = [pick(list(trace), "jvault_stake"), pick(list(varied), "jvault_stake")];
    expect(sorted(after.transactions)).toEqual(sorted(before.transactions));
  });

  it.each([
    ["behind", (_trace: Trace, update: TraceTransaction) => update],
    ["beside", (trace: Trace, update: TraceTransaction) => sender(trace, update)],
  ])("jvault_stake contains the messages to the next referrer %s the update of the first", (_place, findSender) => {
    const { trace, list } = open("jvault--stake-full-referral-call-chain");
    const first = findByOpcodes(trace, [0xf5c5baa3, 0x55c35b40]);
    const update = findByOpcodes(trace, [0x55c35b40, 0x076ee4e0]);
    const varied = copyBranch(trace, first, findSender(trace, update));
    const added = varied.transactions.slice(trace.transactions.length).map(({ hash }) => hash);
    const [before, after] = [pick(list(trace), "jvault_stake"), pick(list(varied), "jvault_stake")];
    expect(sorted(after.transactions)).toEqual(sorted([...before.transactions, ...added]));
  });

  it("a swap that its pool pays twice is part of no jetton_swap", () => {
    const { trace, list } = open("stonfi-v2-swaps--stonfi-v2-jetton-jetton-multirouter");
    const payment = findByOpcodes(trace, [0x6664de2a, 0x657b54f5]);
    const swap = sender(trace, payment);
    const swapTypes = (each: Trace) =>
      list(each).flatMap(({ type, transactions }) => (transactions.includes(swap.hash) ? [type] : []));
    expect(swapTypes(trace)).toContain("jetton_swap");
    expect(swapTypes(copyBranch(trace, payment, swap))).not.toContain("jetton_swap");
  });

  it("dex_deposit_liquidity of tonco lists only the first refunds", () => {
    const { trace, list } = open("tonco--tonco-deposit-liquidity-normal");
    const call = findByOpcodes(trace, [0x3ebe5431, 0x81702ef8]);
    const varied = copyBranch(trace, call, sender(trace, call));
    const details = (each: Trace) => list(each).flatMap(({ type, details }) => (/^dex_/.test(type) ? [details] : []));
    expect(details(varied)).toEqual(details(trace));
  });

  it("dex_deposit_liquidity of dedust lists a returned transfer once", () => {
    const { trace, list } = open("dedust-liquidities--rejected-final-deposit");
    const arrival = findByOpcodes(trace, [0x6b0b787f, 0x0f8a7ea5, 0x178d4519]);
    const varied = copyBranch(trace, arrival, sender(trace, arrival));
    const details = (each: Trace) => list(each).flatMap(({ type, details }) => (/^dex_/.test(type) ? [details] : []));
    expect(details(varied)).toEqual(details(trace));
  });

  const cutBodies = [
    ["tgbtc--tgbtc-burn-another", [0x595f07bc], 1, "tgbtc_burn"],
    ["tonstakers--ts-withdrawal-via-nft-burn", [0xed58b0b2], 1, "stake_withdrawal"],
    ["layerzero--layerzero-receive-another", [0x0c7b8418], 1, "layerzero_receive"],
    ["layerzero--layerzero-dvn-verify", [0x3cb38090], 1, "layerzero_dvn_verify"],
    ["layerzero--layerzero-send-msg-to-tron", [0xa2b5fbae], 1, "layerzero_send"],
  ] as const;
  for (const [name, path, bits, type] of cutBodies) {
    it(`${type} needs only what it reads of a body that is too short`, () => {
      const { trace, list } = open(name);
      const cut = findByOpcodes(trace, path);
      const varied = replaceBody(trace, cut, withoutEnd(cut, bits));
      expect(list(varied).filter((action) => action.type === type)).toEqual(
        list(trace).filter((action) => action.type === type),
      );
    });
  }

  it("dex_deposit_liquidity of dedust takes a returned amount from the order when the arrival is unreadable", () => {
    const { trace, list } = open("dedust-liquidities--rejected-final-deposit");
    const arrival = findByOpcodes(trace, [0x6b0b787f, 0x0f8a7ea5, 0x178d4519]);
    const varied = replaceBody(trace, arrival, query(0x178d4519));
    const details = (each: Trace) => list(each).flatMap(({ type, details }) => (/^dex_/.test(type) ? [details] : []));
    expect(details(varied)).toEqual(details(trace));
  });

  it("dex_deposit_liquidity of tonco needs only the wallet and the amounts of the order", () => {
    const { trace, list } = open("tonco--tonco-deposit-liquidity-two-sides-jetton");
    const deposits = (each: Trace) => list(each).filter(({ type }) => type === "dex_deposit_liquidity");
    const notices = trace.transactions.filter(({ inMessage }) => inMessage && isFundNotice(inMessage.body));
    const varied = notices.reduce((each, { inMessage }) => {
      const notice = each.transactions.find((other) => other.inMessage?.hash === inMessage?.hash) as TraceTransaction;
      return replaceBody(each, notice, withCutOrder((inMessage as TraceMessage).body));
    }, trace);
    expect(notices.length).toBeGreaterThan(0);
    expect(deposits(varied)).toEqual(deposits(trace));
  });

  it("coffee events may lack the fields that later versions added", () => {
    const { trace, list } = open("coffee--coffee-dex-swap-usdt-ton-hop-ces");
    const cutLogs = (message: TraceMessage): TraceMessage =>
      message.destination === undefined && sliceOf(message.body).loadUint(32) === 0xc0ffee30
        ? { ...message, body: cutBody(message, 1) }
        : message;
    const transactions = trace.transactions.map((each) => ({ ...each, outMessages: each.outMessages.map(cutLogs) }));
    const swaps = (each: Trace) => list(each).filter(({ type }) => type === "jetton_swap");
    expect(swaps({ ...trace, transactions })).toEqual(swaps(trace));
  });

  it("jetton_swap of tonco without a readable step takes its least amount from the payout", () => {
    const { trace, list } = open("tonco--tonco-swap-ton-kuku");
    const order = findByOpcodes(trace, [0x7362d09c, 0xa7fb58f8]);
    const { success, details } = pick(list(replaceBody(trace, order, withoutEnd(order, 1))), "jetton_swap");
    const { min_out_amount: least, dex_outgoing_transfer: outgoing } = details;
    expect(success).toBe(false);
    expect(least).toBe((outgoing as { readonly amount: unknown }).amount);
  });

  it("a tonco payment of a swap that is cut makes the swap a failed one", () => {
    const { trace, list } = open("tonco--tonco-swap-ton-kuku");
    const payment = findByOpcodes(trace, [0xa7fb58f8, 0xa1daa96d]);
    const varied = replaceBody(trace, payment, withoutEnd(payment, 1));
    expect(pick(list(trace), "jetton_swap").success).toBe(true);
    expect(pick(list(varied), "jetton_swap").success).toBe(false);
  });
});

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
