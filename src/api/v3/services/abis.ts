import type { Cell } from "../../../cell/Cell.ts";
import { type AccountNow, findCode } from "../../../chain/accounts.ts";
import type { Chain } from "../../../chain/Chain.ts";
import { findMethods } from "../../../chain/run/newContracts.ts";
import { AbiLibrary, type AbiSubject } from "../../../contracts/AbiLibrary.ts";
import type { AbiCodec } from "../../../contracts/abi/AbiCodec.ts";
import type { AbiBudget } from "../../../contracts/abi/AbiRun.ts";
import { AbiError } from "../../../contracts/abi/errors.ts";
import { interfacesOf } from "../../../contracts/interfaces.ts";
import { systemClock } from "../../../lib/clock.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { FairTurns } from "../../../lib/sharing/FairTurns.ts";
import { runInTurns, type Steps } from "../../../lib/sharing/steps.ts";
import type { Hash } from "../../../model/Hash.ts";
import type { VmValues } from "../../../model/vm/VmValue.ts";
import { runnerName } from "../../declare/Caller.ts";
import type { RequestContext } from "../../declare/RequestContext.ts";
import type { V3Services } from "./Services.ts";

/** A decoded value with the ABI that it was decoded by. */
export interface DecodedBy {
  readonly abi: string;
  /** Of a message. */
  readonly name?: string | undefined;
  readonly fields: JsonObject;
  readonly rest?: string | undefined;
}

/** Those of families, for services without ABIs of one's own. */
const ofFamilies = new AbiLibrary();

export function libraryOf({ abis }: Pick<V3Services, "abis">): AbiLibrary {
  return abis?.library() ?? ofFamilies;
}

/** What an account of the current chain is looked up by. */
export async function subjectOf(chain: Chain, account: AccountNow): Promise<AbiSubject> {
  const code = findCode(account);
  const codeHash = code?.hash();
  const methods = code && (await findMethods(chain, code));
  return { address: account.address, codeHash, interfaces: interfacesOf({ codeHash, methods }) };
}

/** What a code is looked up by when nothing but its hash is known. */
export function codeSubject(codeHash: Hash): AbiSubject {
  return { codeHash, interfaces: interfacesOf({ codeHash, methods: undefined }) };
}

/** The first ABI that has the method. */
export function getMethodAbi(codecs: readonly AbiCodec[], method: string | number): AbiCodec {
  const found = codecs.find((codec) => codec.findMethod(method) !== undefined);
  if (found === undefined)
    throw new AbiError("abi/unknown", `no ABI of the account has a get-method ${String(method).slice(0, 100)}`);
  return found;
}

/** Conversions of all requests share the thread; `AnswerWriter` says why a turn is so short. */
const turns = new FairTurns(systemClock, 4);

/** Does a conversion in turns with those of others, as long as the caller is there. */
export async function convertInTurns<T>(
  steps: Steps<T>,
  { caller, signal }: Pick<RequestContext, "caller" | "signal">,
): Promise<T> {
  const work = turns.open({ caller: runnerName(caller) ?? "", isFirst: false });
  try {
    await work.next(signal);
    return await runInTurns(steps, () => work.next(signal));
  } finally {
    work.pause();
  }
}

export function* findBodyBy(codecs: readonly AbiCodec[], body: Cell, budget: AbiBudget): Steps<DecodedBy | undefined> {
  let beginning: DecodedBy | undefined;
  for (const codec of codecs) {
    const decoded = yield* codec.inSteps(budget).findBody(body);
    if (decoded === undefined) continue;
    const by = { abi: codec.abi.name, ...decoded };
    if (decoded.rest === undefined) return by;
    beginning ??= by;
  }
  return beginning;
}

export function* findStorageBy(
  codecs: readonly AbiCodec[],
  data: Cell,
  codeHash: string | undefined,
  budget: AbiBudget,
): Steps<DecodedBy | undefined> {
  for (const codec of codecs) {
    const fields = yield* codec.inSteps(budget).findStorage(data, codeHash);
    if (fields !== undefined) return { abi: codec.abi.name, fields };
  }
  return undefined;
}

export function* decodeResultBy(
  codecs: readonly AbiCodec[],
  method: string | number,
  stack: VmValues,
  budget: AbiBudget,
): Steps<DecodedBy> {
  const possible = codecs.filter((codec) => codec.findMethod(method) !== undefined);
  for (const codec of possible.slice(0, -1)) {
    // Interfaces can have a method of one name with different results, as sales and auctions do.
    const fields = yield* codec.inSteps(budget).findResult(method, stack);
    if (fields !== undefined) return { abi: codec.abi.name, fields };
  }
  const last = possible.at(-1) ?? getMethodAbi(codecs, method);
  return { abi: last.abi.name, fields: yield* last.inSteps(budget).decodeResult(method, stack) };
}
