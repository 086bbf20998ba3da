import { afterAll, beforeAll, expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import type { Abi } from "../../../src/contracts/abi/Abi.ts";
import { formatRawAddress } from "../../../src/model/Address.ts";
import { type DemoStage, listOf, openDemoStage } from "../../kit/api/demoStage.ts";
import { addBody, counterLibrary, toldBody } from "../../kit/contracts/counterAbi.ts";

const greeterAbi: Abi = { name: "greeter", receives: [{ name: "greet", tag: "#7e8764f1", fields: [] }] };

let stage: DemoStage;

beforeAll(async () => {
  stage = await openDemoStage({
    play: async () => undefined,
    abis: ({ people: { alice, bob } }) => {
      const library = counterLibrary({ addresses: [alice.address] });
      const codeHashes = bob.init.code === undefined ? [] : [bob.init.code.hash()];
      library.add({ id: "by code", abi: greeterAbi, target: { addresses: [], codeHashes, interfaces: [] } });
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
