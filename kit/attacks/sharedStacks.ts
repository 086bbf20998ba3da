import type { Cell } from "../../src/cell/Cell.ts";
import { makeAddress } from "../../src/model/Address.ts";
import { installContract } from "./localControls.ts";
import { type MethodCall, type MethodRequest, methodRequests } from "./methodCalls.ts";
import { nestedTuplesCode, repeatedBagCode } from "./sharedStackCode.ts";

/** Calls get-methods whose results are few values that represent very many; resolves when all are refused. */
export type SharedStackAttack = (origin: string) => Promise<void>;

/** A contract, and how its results are refused. */
interface Contract {
  readonly address: MethodCall["address"];
  readonly makeCode: () => Cell;
  readonly refusal: string;
}

const rounds = 5;
/** Calls at the same time. */
const together = 10;
const batchCalls = 100;

const nestedTuples: Contract = {
  address: makeAddress(0, "a1".repeat(32)),
  makeCode: nestedTuplesCode,
  refusal: "TVM stack size exceeds limit",
};
const repeatedBag: Contract = {
  address: makeAddress(0, "a2".repeat(32)),
  makeCode: () => repeatedBagCode(300),
  refusal: "the stack of the get-method has more than 8388608 bytes",
};

/** Calls of all attacks so far. */
let calls = 0;

const callMany =
  ({ address, makeCode, refusal }: Contract, makeRequest: (call: MethodCall) => MethodRequest): SharedStackAttack =>
  async (origin) => {
    const seqno = await installContract(origin, address, makeCode());
    for (let round = 0; round < rounds; round++) {
      const requests = Array.from({ length: together }, () => makeRequest({ address, seqno, number: calls++ }));
      checkRefused(await Promise.all(requests.map((request) => send(origin, request))), refusal);
    }
  };

/** The same call many times in one batch, in both forms of v2. */
const callInBatch =
  ({ address, makeCode, refusal }: Contract): SharedStackAttack =>
  async (origin) => {
    const seqno = await installContract(origin, address, makeCode());
    const batch = Array.from({ length: batchCalls }, (_, id) => {
      const form = id % 2 === 0 ? "v2" : "v2 Std";
      const { path, body } = methodRequests[form]({ address, seqno, number: calls++ });
      return { jsonrpc: "2.0", id, method: path.split("/").at(-1), params: body };
    });
    const text = await send(origin, { path: "/api/v2/jsonRPC", body: batch });
    const parts: unknown = JSON.parse(text);
    if (!Array.isArray(parts) || parts.length !== batchCalls) throw new Error(`not a batch: ${text.slice(0, 300)}`);
    checkRefused(
      parts.map((part) => JSON.stringify(part)),
      refusal,
    );
  };

async function send(origin: string, { path, body }: MethodRequest): Promise<string> {
  const headers = { "content-type": "application/json" };
  const init = body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) };
  return (await fetch(`${origin}${path}`, init)).text();
}

/** Some may be refused because all together take too much memory or time, but not all of them. */
function checkRefused(answers: readonly string[], refusal: string): void {
  if (answers.some((answer) => answer.includes(refusal))) return;
  throw new Error(`none of ${answers.length} is refused for its size: ${answers[0]?.slice(0, 300)}`);
}

const inEveryForm = (name: string, contract: Contract): [string, SharedStackAttack][] =>
  Object.entries(methodRequests).map(([form, makeRequest]) => [`${name}, ${form}`, callMany(contract, makeRequest)]);

export const sharedStackAttacks: Readonly<Record<string, SharedStackAttack>> = {
  ...Object.fromEntries(inEveryForm("a result of 255⁴ values", nestedTuples)),
  ...Object.fromEntries(inEveryForm("a result with one bag in 31 × 255 places", repeatedBag)),
  "a batch of 100 results with one bag in 31 × 255 places": callInBatch(repeatedBag),
};
