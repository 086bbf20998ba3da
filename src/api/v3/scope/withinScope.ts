import { findBoundTime, listOutside, outsideScope, outsideScopeError } from "../../../history/queries/coverage.ts";
import type { HistorySnapshot } from "../../../history/queries/kit/History.ts";
import { describeScope, limitsAccounts } from "../../../history/scope/Scope.ts";
import type { OpenScope } from "../../../history/scope/ScopeMemory.ts";
import { isCoded } from "../../../lib/errors.ts";
import { type Address, formatRawAddress } from "../../../model/Address.ts";
import type { RequestContext } from "../../declare/RequestContext.ts";
import { sideOf } from "../args/eventArgs.ts";
import type { V3Services } from "../services/Services.ts";
import type { ScopeNeed, ScopeRule } from "./scopeRule.ts";

type RequestArgs = Readonly<Record<string, unknown>>;
type Run<A, R> = (services: V3Services, args: A, context: RequestContext) => R | Promise<R>;

/**
 * Makes an endpoint refuse what is outside the scope of the index, or may be: an empty or incomplete list would be
 * taken for the whole truth. Without a scope nothing changes.
 */
export function withinScope<A extends object, R>(rule: ScopeRule, run: Run<A, R>): Run<A, R> {
  if (!rule.isIndexed) return run;
  return (services, args, context) => {
    const given = args as RequestArgs;
    let scope: OpenScope | undefined;
    // The check sees the snapshot of the answer.
    const history = services.history.checking(async (reading, open) => {
      if (scope === undefined) context.notes.addHeader("X-Index-Scope", describeScope(open.scope));
      scope = open;
      await refuseOutside(reading, open, rule, given);
    });
    return findSomething(
      () => scope,
      rule,
      given,
      () => run({ ...services, history }, args, context),
    );
  };
}

async function refuseOutside(
  reading: HistorySnapshot,
  open: OpenScope,
  rule: ScopeRule,
  args: RequestArgs,
): Promise<void> {
  await refuseRange(reading, open, args);
  if (!limitsAccounts(open.scope) || rule.keys.some((key) => isGiven(args[key]))) return;
  const needs = rule.oneOf.filter(({ argument }) => addressesOf(args[argument]).length > 0);
  let reason: Error | undefined;
  for (const need of needs) {
    const refused = await findReason(reading, open, need, args);
    if (refused === undefined) return;
    reason ??= refused;
  }
  if (reason !== undefined) throw reason;
}

/** Why an argument does not keep the answer within the scope. */
async function findReason(
  reading: HistorySnapshot,
  open: OpenScope,
  { kind, argument }: ScopeNeed,
  args: RequestArgs,
): Promise<Error | undefined> {
  const wanted = addressesOf(args[argument]);
  switch (kind) {
    case "account":
      return reasonOf(open, await listOutside(reading, open, wanted));
    case "sender": {
      const outside = await listOutside(reading, open, wanted);
      if (outside.length > 0) return reasonOf(open, outside);
      const isSent = sideOf(typeof args.direction === "string" ? args.direction : undefined) === "out";
      const what = `what ${argument} received may be missing in this index: ask for direction=out, or by a token of its scope`;
      return isSent ? undefined : outsideScope(open, what);
    }
    case "jetton":
      return tokenReason(open, wanted, "a jetton", (each) => open.accounts.hasJetton(each));
    case "collection":
      return tokenReason(open, wanted, "a collection", (each) => open.accounts.hasCollection(each));
    default:
      return outsideScope(open, `a list by ${argument} alone may lack items in this index`);
  }
}

function reasonOf(open: OpenScope, outside: readonly Address[]): Error | undefined {
  return outside.length === 0 ? undefined : outsideScopeError(open, outside);
}

function tokenReason(
  open: OpenScope,
  addresses: readonly Address[],
  what: string,
  isListed: (address: Address) => boolean,
): Error | undefined {
  const outside = addresses.find((each) => !isListed(each));
  return outside && outsideScope(open, `${formatRawAddress(outside)} is not ${what} in the scope of this index`);
}

/** Refuses times and blocks that lie wholly before or after the scope. */
async function refuseRange(reading: HistorySnapshot, open: OpenScope, args: RequestArgs): Promise<void> {
  const { from, until } = open.scope;
  const [seqno, first, last] = [args.mc_seqno, args.start_utime, args.end_utime];
  if (typeof seqno === "number") {
    if (from?.kind === "block" && seqno < from.seqno) throw outsideScope(open, `block ${seqno} is before the scope`);
    if (until?.kind === "block" && seqno > until.seqno) throw outsideScope(open, `block ${seqno} is after the scope`);
  }
  if (typeof last === "number" && last < ((await findBoundTime(reading, from)) ?? 0))
    throw outsideScope(open, "the requested time is before the scope");
  if (typeof first === "number" && first > ((await findBoundTime(reading, until)) ?? Number.POSITIVE_INFINITY))
    throw outsideScope(open, "the requested time is after the scope");
}

/** The refusals of endpoints that found nothing by a hash. */
const notFound: ReadonlySet<string> = new Set(["adjacentNotFound", "actionNotFound"]);

/** What is not in the index may be outside its scope, or not exist: both are said. */
async function findSomething<R>(
  scopeOf: () => OpenScope | undefined,
  { keys }: ScopeRule,
  args: RequestArgs,
  run: () => R | Promise<R>,
): Promise<R> {
  const named = keys.filter((key) => isGiven(args[key]));
  const nothing = (open: OpenScope): Error =>
    outsideScope(
      open,
      `nothing in this index has the given ${named.join(", ")}: it is outside its scope or does not exist`,
    );
  try {
    const result = await run();
    const open = scopeOf();
    if (open !== undefined && named.length > 0 && isNothing(result) && !isLaterPage(args)) throw nothing(open);
    return result;
  } catch (error) {
    const open = scopeOf();
    const isAbsent = named.length > 0 && isCoded(error, "api/refusal") && notFound.has(error.data.refusal);
    throw isAbsent && open !== undefined ? nothing(open) : error;
  }
}

/** A later part of a list may be empty. */
function isLaterPage({ cursor, offset }: RequestArgs): boolean {
  return (typeof cursor === "string" && cursor !== "") || (typeof offset === "number" && offset > 0);
}

/** Answers are lists, or objects with a list beside an address book and metadata, or with maps alone. */
function isNothing(result: unknown): boolean {
  if (Array.isArray(result)) return result.length === 0;
  if (typeof result !== "object" || result === null) return false;
  const values: readonly unknown[] = Object.values(result);
  const lists = values.filter(Array.isArray);
  if (lists.length > 0) return lists.every(({ length }) => length === 0);
  const maps = values.filter((value) => value instanceof Map);
  return maps.length > 0 && maps.every(({ size }) => size === 0);
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
}

/** Arguments of addresses are one, several, none, or the text of none. */
function addressesOf(value: unknown): readonly Address[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((each): each is Address => typeof each === "string");
}
