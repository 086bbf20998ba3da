import { expect, it } from "vitest";
import { makeFacts, type RecordedInterfaces, readFacts } from "../../kit/contracts/corpusFacts.ts";
import { makeTrace, type RecordedTrace, type RecordedTransaction } from "../../kit/model/corpusTrace.ts";
import { describeCorpus, listFiles, readJson } from "../../kit/suite/corpus.ts";
import { beginCell } from "../../src/cell/Builder.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { classify, classifyLimits } from "../../src/contracts/classify.ts";
import type { Facts } from "../../src/contracts/engine/Facts.ts";
import { traceLimits } from "../../src/contracts/engine/traceTree.ts";
import { parseAddress } from "../../src/model/Address.ts";
import type { Trace } from "../../src/model/Trace.ts";
import { mutateTrace, quickRandom } from "../kit/model/mutateTrace.ts";
import { account, comment, makeTestTrace, query, type Step } from "../kit/model/testTrace.ts";
import { repeats } from "../kit/suite/everything.ts";

const noFacts = makeFacts({});
const electorAccount = parseAddress(`-1:${"3".repeat(64)}`).address;
const [wallet, friend] = [account("wallet"), account("friend")];

/** A step is one look at a node, far below a microsecond: this many fit well into fifty milliseconds. */
const maxSteps = 50_000;

const mutated = repeats({ usual: 10_000, all: 40_000 });

interface TraceFile {
  readonly input: {
    readonly trace: RecordedTrace;
    readonly transactions: readonly RecordedTransaction[];
    readonly interfaces: RecordedInterfaces;
  };
}

describeCorpus("mutated traces", (folder) => {
  it(`classifies ${mutated} of them without a crash and within the work limit`, () => {
    const cases = readCases(folder);
    const bodies = cases.flatMap(({ trace }) => listBodies(trace));
    const chance = quickRandom(8);
    let overLimit = 0;
    let refusals = 0;
    let max = 0;
    for (let run = 0; run < mutated; run++) {
      const { trace, facts } = cases[run % cases.length] as (typeof cases)[number];
      const { work, actions, failures } = classify(mutateTrace(trace, bodies, chance), facts);
      if (work.steps > maxSteps) overLimit++;
      max = Math.max(max, work.steps);
      for (const count of work.refusals.values()) refusals += count;
      for (const { matcher, error } of failures) throw new Error(`run ${run}: ${matcher} failed`, { cause: error });
      if (actions.length === 0) throw new Error(`run ${run} told nothing`);
    }
    process.stdout.write(`${mutated} mutated traces: at most ${max} steps, ${refusals} refusals of a body\n`);
    expect(overLimit).toBe(0);
    expect(refusals).toBeGreaterThan(0);
  });
});

/** Without the largest traces: mutating small ones more often is worth more. */
function readCases(folder: string): { readonly trace: Trace; readonly facts: Facts }[] {
  return listFiles(folder, "traces", ".json")
    .filter((path) => path.includes("--"))
    .map((path) => (readJson(folder, path) as TraceFile).input)
    .filter(({ transactions }) => transactions.length <= 8)
    .map((input) => ({ trace: makeTrace(input.trace, input.transactions), facts: readFacts(input.interfaces) }));
}

function listBodies({ transactions }: Trace): Cell[] {
  return transactions.flatMap(({ inMessage }) => (inMessage === undefined ? [] : [inMessage.body]));
}

it("recognises a transfer with a comment, starting at its message, with both transactions", () => {
  const trace = makeTestTrace(wallet, [{ to: friend, body: comment("hello"), value: 5n }]);
  const { state, actions } = classify(trace, noFacts);
  const [sent, received] = trace.transactions;
  expect(state).toBe("ok");
  expect(actions.map(({ type, startLt, transactions, details }) => ({ type, startLt, transactions, details }))).toEqual(
    [
      {
        type: "ton_transfer",
        startLt: received?.inMessage?.createdLt,
        transactions: [received?.hash, sent?.hash],
        details: {
          source: wallet.toUpperCase(),
          destination: friend.toUpperCase(),
          value: "5",
          value_extra_currencies: {},
          comment: "hello",
          encrypted: false,
        },
      },
    ],
  );
});

it("recognises a deployment in addition to the transfer that caused it", () => {
  const { actions } = classify(makeTestTrace(wallet, [{ to: friend, deploys: true }]), noFacts);
  expect(actions.map(({ type }) => type)).toEqual(["ton_transfer", "contract_deploy"]);
});

it("returns one unknown event for a trace without a match", () => {
  const trace = makeTestTrace(wallet, []);
  const { actions } = classify(trace, noFacts);
  expect(actions).toMatchObject([{ id: trace.id, type: "unknown", success: true }]);
});

it("returns nothing for a lone tick-tock transaction", () => {
  const trace = makeTestTrace(wallet, []);
  const [only] = trace.transactions;
  if (only === undefined) throw new Error("a trace has a transaction");
  const tick = { ...trace, transactions: [{ ...only, isTickTock: true, inMessage: undefined }] };
  expect(classify(tick, noFacts)).toMatchObject({ state: "ok", actions: [] });
});

it("lists a trace message by message when it is deeper than can be matched", () => {
  const depth = traceLimits.depth + 10;
  let step: Step = { to: wallet };
  for (let level = 0; level < depth; level++) step = { to: level % 2 === 0 ? friend : wallet, causes: [step] };
  const { state, actions } = classify(makeTestTrace(wallet, [step]), noFacts);
  expect(state).toBe("failed");
  expect(actions.map(({ type }) => type)).toEqual(["unknown"]);
});

it("stays within the work limit however wide a trace is", () => {
  const steps = Array.from({ length: 5000 }, (): Step => ({ to: friend, body: query(0x6664de2a) }));
  const { work, actions } = classify(makeTestTrace(wallet, steps), noFacts);
  expect(actions).toHaveLength(5000);
  expect(work.steps).toBeLessThanOrEqual(classifyLimits.steps);
});

it("treats an unreadable body as no event, and counts it", () => {
  const cut = beginCell().storeUint(0x0f8a7ea5, 32).cell();
  const arrival = { to: account("receiving wallet"), body: query(0x178d4519) };
  const trace = makeTestTrace(wallet, [{ to: account("sending wallet"), body: cut, causes: [arrival] }]);
  const facts = makeFacts({
    jettonWallets: new Map([[arrival.to, { owner: friend, jetton: account("master") }]]),
  });
  const { actions, work } = classify(trace, facts);
  expect(actions.map(({ type }) => type)).toEqual(["call_contract", "call_contract"]);
  expect(work.refusals.get("jetton_transfer")).toBe(1);
});

it("reports a matcher that throws anything but a refusal, and continues with the others", () => {
  const mistake = new TypeError("a mistake");
  const facts: Facts = {
    ...noFacts,
    findNftItem: () => {
      throw mistake;
    },
  };
  const trace = makeTestTrace(wallet, [
    { to: account("item"), deploys: true },
    { to: electorAccount, body: query(0x4e73744b), causes: [{ to: wallet, body: query(0xf374484c) }] },
  ]);
  const { actions, failures, state } = classify(trace, facts);
  expect(state).toBe("ok");
  expect(failures).toEqual([{ matcher: "nft_mint", error: mistake }]);
  expect(actions.map(({ type }) => type)).toEqual(["ton_transfer", "election_deposit", "contract_deploy"]);
});
