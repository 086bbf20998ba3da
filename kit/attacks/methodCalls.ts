import { writeBoc } from "../../src/cell/boc.ts";
import { storeCell } from "../../src/cell/codec.ts";
import type { Address } from "../../src/model/Address.ts";
import { VmStack } from "../../src/model/vm/VmStack.ts";

/** A call of a get-method with one number, which makes calls different: no two of them share a run or an answer. */
export interface MethodCall {
  readonly address: Address;
  readonly number: number;
  /** A masterchain block at which the account has its code. */
  readonly seqno: number;
}

export interface MethodRequest {
  readonly path: string;
  /** Sent by POST, if there is one. */
  readonly body?: object;
}

const method = "attacked";
const legacyStack = ({ number }: MethodCall) => [["num", `${number}`]];
const typedStack = ({ number }: MethodCall) => [
  { "@type": "tvm.stackEntryNumber", number: { "@type": "tvm.numberDecimal", number: `${number}` } },
];

/** The same call as each API has it. */
export const methodRequests = {
  v2: (call: MethodCall) => ({
    path: "/api/v2/runGetMethod",
    body: { address: call.address, method, stack: legacyStack(call) },
  }),
  "v2 Std": (call: MethodCall) => ({
    path: "/api/v2/runGetMethodStd",
    body: { address: call.address, method, stack: typedStack(call) },
  }),
  v3: (call: MethodCall) => ({
    path: "/api/v3/runGetMethod",
    body: { address: call.address, method, stack: [{ type: "num", value: `${call.number}` }] },
  }),
  v4: ({ address, number, seqno }: MethodCall) => {
    const stack = Buffer.from(writeBoc(storeCell(VmStack, [{ kind: "int", value: BigInt(number) }])));
    return {
      path: `/api/v4/block/${seqno}/${encodeURIComponent(address)}/run/${method}/${stack.toString("base64url")}`,
    };
  },
} satisfies Readonly<Record<string, (call: MethodCall) => MethodRequest>>;
