import { expect, it } from "vitest";
import { type FactMaps, makeFacts } from "../../../../kit/contracts/corpusFacts.ts";
import { type Builder, beginCell } from "../../../../src/cell/Builder.ts";
import type { Cell } from "../../../../src/cell/Cell.ts";
import { classify } from "../../../../src/contracts/classify.ts";
import type { Address } from "../../../../src/model/Address.ts";
import { hashToBase64, parseHash } from "../../../../src/model/Hash.ts";
import type { Trace } from "../../../../src/model/Trace.ts";
import { describeActions, raw } from "../../../kit/contracts/shownActions.ts";
import { account, comment, makeTestTrace, query, type Step } from "../../../kit/model/testTrace.ts";

const [relayer, wallet, friend] = [account("relayer"), account("wallet"), account("friend")];
const facts: FactMaps = {
  codeHashes: new Map([[wallet, parseHash("kUmuUcHkaJcQzr94MCl7Fqz7rbNjqSClN4k+f/7sp2g=")]]),
};
const [newKey, signature, encrypted] = ["ab".repeat(32), "cd".repeat(64), "ef".repeat(32)] as const;

const hex = (builder: Builder, text: string) => builder.storeBytes(Buffer.from(text, "hex"));

/** A signed request; the signature begins with an opcode that means nothing. */
function request(op: number, store: (builder: Builder) => Builder = (builder) => builder): Cell {
  const head = hex(beginCell(), "12".repeat(64)).storeUint(op, 32);
  return store(head.storeUint(1, 32).storeUint(0, 32).storeUint(9, 32)).cell();
}

const changeKey = (op: number) =>
  request(op, (b) =>
    hex(b, newKey).storeRef(hex(beginCell(), signature).cell()).storeRef(hex(beginCell(), encrypted).cell()),
  );
const keyLog: Step = { body: hex(beginCell().storeUint(0xeba19948, 32), encrypted).cell() };

/** A trace whose first message is external and already the request. */
const external = (body: Cell, steps: readonly Step[]): Trace => makeTestTrace(wallet, steps, body);
const relayed = (body: Cell, causes: readonly Step[], rest: Partial<Step> = {}): Trace =>
  makeTestTrace(relayer, [{ to: wallet, body, value: 7n, causes, ...rest }]);

const changed = (source: Address | null, value: string | null, parent = {}) => ({
  type: "change_wallet_key",
  success: true,
  ancestors: [],
  details: {
    source: source && raw(source),
    destination: raw(wallet),
    value,
    new_public_key: newKey,
    rotation_signature: signature,
    encrypted_old_private_key: encrypted,
    ...parent,
  },
});
const gasless = (success = true) => ({
  type: "gasless_request",
  success,
  ancestors: [],
  details: { source: raw(relayer), destination: raw(wallet), value: "7" },
});
const someId = { parent_gasless_action: expect.any(String) };

it("the owner changes the key of a wallet", () => {
  expect(describeActions(external(changeKey(0xfbba99c8), [keyLog]), facts)).toEqual([changed(null, null)]);
});

it("a relayer brings the change of a key: it is a relayed request too", () => {
  expect(describeActions(relayed(changeKey(0xfbba99c7), [keyLog]), facts)).toEqual([
    changed(relayer, "7", someId),
    gasless(),
  ]);
});

const cutLog = { body: beginCell().storeUint(0xeba19948, 32).storeUint(1, 32).cell() };
it.each([
  ["another code", relayed(changeKey(0xfbba99c7), [keyLog]), {}],
  ["no log", relayed(changeKey(0xfbba99c7), []), facts],
  ["a log of another length", relayed(changeKey(0xfbba99c7), [cutLog]), facts],
  ["a log of another length before the right one", relayed(changeKey(0xfbba99c7), [cutLog, keyLog]), facts],
  ["a message instead of the log", relayed(changeKey(0xfbba99c7), [{ ...keyLog, to: friend }]), facts],
  ["the opcode of an external request", relayed(changeKey(0xfbba99c8), [keyLog]), facts],
  ["a cut request", relayed(request(0xfbba99c7), [keyLog]), facts],
  ["an aborted transaction", relayed(changeKey(0xfbba99c7), [keyLog], { aborted: true }), facts],
  ["an external message with the opcode of a relayed one", external(changeKey(0xfbba99c7), [keyLog]), facts],
])("%s is no change of a key", (_, trace, known) => {
  expect(describeActions(trace, known).map(({ type }) => type)).not.toContain("change_wallet_key");
});

it.each([
  ["one message", 0x63896e74, "0x63896e74"],
  ["several messages", 0x73896e74, "0x73896e74"],
])("a relayed request for %s is marked, and shown with the opcode behind its signature", (_, op, opcode) => {
  expect(describeActions(relayed(request(op), []), {})).toEqual([
    {
      type: "call_contract",
      success: true,
      ancestors: [],
      details: { opcode, source: raw(relayer), destination: raw(wallet), value: "7", extra_currencies: {} },
    },
    gasless(),
  ]);
});

it("a relayed request of a wallet v5 is one; those of an extension and of the owner are not", () => {
  const types = (opcode: number) => describeActions(relayed(query(opcode), []), {}).map(({ type }) => type);
  expect(types(0x73696e74)).toEqual(["call_contract", "gasless_request"]);
  expect(types(0x7369676e)).toEqual(["call_contract"]);
  expect(types(0x6578746e)).toEqual(["call_contract"]);
});

it("a refused request is a failed one", () => {
  expect(describeActions(relayed(query(0x73696e74), [], { aborted: true }), {}).at(-1)).toEqual(gasless(false));
});

it("a deployment keeps the first opcode of the body", () => {
  const deployed = describeActions(relayed(request(0x63896e74), [], { deploys: true }), {});
  expect(deployed.map(({ type, details }) => [type, details.opcode])).toEqual([
    ["call_contract", "0x63896e74"],
    ["gasless_request", undefined],
    ["contract_deploy", "0x12121212"],
  ]);
});

/** The actions of a trace, each with the number of the action that its parent is. */
function listParents(trace: Trace) {
  const { actions } = classify(trace, makeFacts({}));
  const ids = actions.map(({ id }) => hashToBase64(id));
  return actions.map(({ type, details }) => [type, ids.indexOf(String(details.parent_gasless_action))]);
}

it("what a wallet sends for a relayed request belongs to it; what follows from that does not", () => {
  const answer = { to: wallet, body: comment("thanks") };
  const sent = { to: friend, body: comment("hello"), causes: [answer] };
  expect(listParents(relayed(query(0x73696e74), [sent]))).toEqual([
    ["call_contract", -1],
    ["ton_transfer", 3],
    ["ton_transfer", -1],
    ["gasless_request", -1],
  ]);
});

it("a request that brings another one leads to it", () => {
  const inner = { to: friend, body: query(0x73696e74), causes: [{ to: relayer, body: comment("done") }] };
  expect(listParents(relayed(query(0x73696e74), [inner]))).toEqual([
    ["call_contract", -1],
    ["call_contract", 3],
    ["ton_transfer", 4],
    ["gasless_request", -1],
    ["gasless_request", 3],
  ]);
});

it("a deployment by a relayed request belongs to it", () => {
  expect(listParents(relayed(query(0x73696e74), [], { deploys: true }))).toEqual([
    ["call_contract", -1],
    ["gasless_request", -1],
    ["contract_deploy", 1],
  ]);
});
