import { afterAll, beforeAll, expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import type { CompiledSource } from "../../../src/contracts/AbiLibrary.ts";
import type { Abi } from "../../../src/contracts/abi/Abi.ts";
import { formatRawAddress } from "../../../src/model/Address.ts";
import { hashToBase64 } from "../../../src/model/Hash.ts";
import { type DemoStage, listOf, openDemoStage } from "../../kit/api/demoStage.ts";
import { sameDigits } from "../../kit/api/v3/v3Stage.ts";
import { addBody, counterLibrary, toldBody } from "../../kit/contracts/counterAbi.ts";

const greeterAbi: Abi = { name: "greeter", receives: [{ name: "greet", tag: "#7e8764f1", fields: [] }] };

const source = "fun onInternalMessage(_: InMessage) { }";
let compiled: CompiledSource = { kind: "absent", package: "a-compiler" };
let stage: DemoStage;

beforeAll(async () => {
  stage = await openDemoStage({
    compile: async (text) => (text === source ? compiled : { kind: "failed", reason: "another text" }),
    play: async () => undefined,
    abis: ({ people: { alice, bob } }) => {
      const library = counterLibrary({ addresses: [alice.address] });
      const codeHashes = bob.init.code === undefined ? [] : [bob.init.code.hash()];
      library.add({ id: "by code", abi: greeterAbi, target: { addresses: [], codeHashes, interfaces: [] }, source });
      return library;
    },
  });
});
afterAll(() => stage?.close());

it("decodes messages in lists by the ABI of the receiver, then by that of the sender", async () => {
  const { chain, demo } = stage;
  const { alice, bob } = demo.people;
  const amount = 1_000_000_000n;
  const giver = chain.wallet(0);
  const sends = [
    [giver, { to: alice.address, amount: 10n * amount }],
    [giver, { to: bob.address, amount: 10n * amount }],
    [giver, { to: alice.address, amount, body: addBody(5n) }],
    [giver, { to: bob.address, amount, body: addBody(6n) }],
    [giver, { to: bob.address, amount, body: beginCell().storeUint(0x7e8764f1, 32).cell() }],
    [alice, { to: bob.address, amount, body: toldBody(1n << 40n) }],
  ] as const;
  for (const [from, transfer] of sends) {
    await chain.send(from, transfer);
    await chain.rounds(3);
  }
  await stage.index();
  const shown = async (args: Readonly<Record<string, string>>) =>
    listOf(await stage.ask("messages", args), "messages").map(
      ({ decoded_opcode: opcode, message_content: content }) => [opcode, Object(content).decoded],
    );
  const to = (address: typeof alice.address) => ({ destination: formatRawAddress(address), sort: "asc" });
  expect(await shown({ ...to(alice.address), opcode: "0x7e8764ef" })).toEqual([["add", { "@type": "add", by: "5" }]]);
  // Nobody has said what the other account receives.
  expect(await shown({ ...to(bob.address), opcode: "0x7e8764ef" })).toEqual([[null, null]]);
  expect(await shown({ ...to(bob.address), opcode: "0x7e8764f1" })).toEqual([["greet", { "@type": "greet" }]]);
  expect(await shown({ ...to(bob.address), opcode: "0x7e8764f0" })).toEqual([
    ["told", { "@type": "told", sum: "1099511627776" }],
  ]);
});

it("compares the code of a contract with that of its source", async () => {
  const { bob } = stage.demo.people;
  const codeHash = bob.init.code?.hash() ?? sameDigits("0");
  const check = async (next: CompiledSource) => {
    compiled = next;
    // The answer is cached for a block.
    await stage.chain.rounds(1);
    await stage.index();
    const answer = await stage.ask("contract", { address: formatRawAddress(bob.address), check_source: "true" });
    return [answer.source, answer.source_check];
  };
  const nothing = { compiler: null, code_hash: null, reason: null };
  const by = { ...nothing, compiler: "tolk 1" };
  expect(await check({ kind: "compiled", codeHash, compiler: "tolk 1" })).toEqual([
    source,
    { ...by, verdict: "equal", code_hash: hashToBase64(codeHash) },
  ]);
  expect(await check({ kind: "compiled", codeHash: sameDigits("1"), compiler: "tolk 1" })).toEqual([
    source,
    { ...by, verdict: "different", code_hash: hashToBase64(sameDigits("1")) },
  ]);
  expect(await check({ kind: "failed", reason: "line 1" })).toEqual([
    source,
    { ...nothing, verdict: "failed", reason: "line 1" },
  ]);
  expect(await check({ kind: "absent", package: "a-compiler" })).toEqual([
    source,
    { ...nothing, verdict: "absent", reason: "the package a-compiler is not installed beside this program" },
  ]);
});
