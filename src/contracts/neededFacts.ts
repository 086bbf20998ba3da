import type { Cell } from "../cell/Cell.ts";
import { sliceOf } from "../cell/Slice.ts";
import { runAtOnce, type Steps } from "../lib/sharing/steps.ts";
import type { Address } from "../model/Address.ts";
import type { Trace, TraceMessage } from "../model/Trace.ts";
import type { AccountNaming, NamingFacts, NeededFacts } from "./engine/declareFamily.ts";
import { makeGhostTree } from "./engine/ghosts.ts";
import { makeMessageTree } from "./engine/traceTree.ts";
import { refusable } from "./kit/entity.ts";
import { groupBy } from "./kit/groupBy.ts";
import { families } from "./registry.ts";

const needs = families.map(({ facts }) => facts);
const inBodies = byOpcode(needs.flatMap((each) => each.inBodies ?? []));
const inPayloads = byOpcode(needs.flatMap((each) => each.inPayloads ?? []));
const payloadFinders = needs.flatMap(({ payloadOf }) => payloadOf ?? []);
const messageNeeds = needs.flatMap(({ forMessage }) => forMessage ?? []);
const accountNeeds = needs.flatMap(({ forAccount }) => forAccount ?? []);

function byOpcode(namings: readonly AccountNaming[]): ReadonlyMap<number, readonly AccountNaming[]> {
  return groupBy(namings, ({ opcode }) => opcode);
}

const nothingYet: NamingFacts = { findData: () => undefined, findNftAuction: () => undefined };

/**
 * The facts to gather for a trace. Some facts name further accounts: called again with the gathered facts, it lists
 * those too; three rounds are sufficient.
 */
export function neededFacts(trace: Trace, known: NamingFacts = nothingYet): NeededFacts {
  return runAtOnce(neededFactsInSteps(trace, known));
}

const countedInStep = 64;

/** The same in steps: a trace may have tens of thousands of messages, each to another account. */
export function* neededFactsInSteps(trace: Trace, known: NamingFacts): Steps<NeededFacts> {
  const accounts = new Set<Address>();
  const data = new Set<Address>();
  let count = 0;
  for (const message of listMessages(trace)) {
    if (++count % countedInStep === 0) yield;
    for (const account of [message.source, message.destination]) if (account !== undefined) accounts.add(account);
    for (const account of listNamed(message.body)) accounts.add(account);
    for (const needed of messageNeeds) {
      const more = needed(message, known);
      for (const account of more.accounts) accounts.add(account);
      for (const account of more.data) data.add(account);
    }
  }
  for (const { account } of trace.transactions) accounts.add(account);
  for (const account of [...accounts]) {
    if (++count % countedInStep === 0) yield;
    for (const named of accountNeeds.flatMap((needed) => needed(account, known)))
      if (named !== undefined) accounts.add(named);
  }
  return { accounts: [...accounts], data: [...data] };
}

function* listMessages(trace: Trace): Generator<TraceMessage> {
  for (const { inMessage, outMessages } of trace.transactions) {
    if (inMessage !== undefined) yield inMessage;
    yield* outMessages;
  }
  if (trace.transactions.length !== 1) return;
  // A single external message may be shown as the messages it would have sent.
  const tree = makeMessageTree(trace);
  const ghosts = tree === undefined ? undefined : makeGhostTree(tree);
  for (const { message } of ghosts?.children ?? []) if (message !== undefined) yield message;
}

function listNamed(body: Cell): Address[] {
  const payloads = payloadFinders.flatMap((find) => find(body) ?? []);
  return [...listFrom(inBodies, body), ...payloads.flatMap((payload) => listFrom(inPayloads, payload))];
}

/** An unreadable body names no accounts; the classifier does not read it either. */
function listFrom(namings: ReadonlyMap<number, readonly AccountNaming[]>, cell: Cell): Address[] {
  if (cell.isExotic || cell.bitLength < 32) return [];
  const opcode = sliceOf(cell).loadUint(32);
  return (namings.get(opcode) ?? [])
    .flatMap(({ list }) => refusable(() => list(cell)) ?? [])
    .filter((account) => account !== undefined);
}
