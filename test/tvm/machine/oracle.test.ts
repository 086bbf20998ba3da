import { assert, asyncProperty, integer } from "fast-check";
import { expect, it } from "vitest";
import { makeRandom, type Random, randomCode } from "../../../kit/tvm/randomCode.ts";
import { WasmOracle } from "../../../kit/tvm/wasmOracle.ts";
import { storeCell } from "../../../src/cell/codec.ts";
import { VmStack, type VmStackValue } from "../../../src/model/vm/VmStack.ts";
import { instructionFamilies } from "../../../src/tvm/machine/interpreter/instructions.ts";
import { runGetMethod } from "../../../src/tvm/run/getMethod.ts";
import { repeats } from "../../kit/suite/everything.ts";
import { makeRunHost } from "../../kit/tvm/runHost.ts";
import { makeGetMethodRun, readSmallConfig } from "../../kit/tvm/tvmValues.ts";

const config = readSmallConfig();
const host = makeRunHost();
const numRuns = repeats({ usual: 200, all: 1_000 });

/**
 * Excluded, but covered by the vectors: instructions with known bugs in the package, an early build of version 13
 * (ristretto255, and division after a left shift), and BLS, which takes it seconds.
 */
const compared = instructionFamilies
  .filter(([family]) => family !== "ristretto" && family !== "bls")
  .map(([, instruction]) => instruction)
  .filter(({ name }) => !/LSHIFT#?(ADD)?(DIV|MOD)/.test(name));

type Maker = (random: Random) => VmStackValue;

const makers: readonly Maker[] = [
  (random) => ({ kind: "int", value: BigInt(random(300) - 20) }),
  (random) => ({ kind: "int", value: 2n ** BigInt(64 + random(190)) - BigInt(random(5)) }),
  () => ({ kind: "null" }),
  (random) => ({ kind: "cell", cell: randomCode(random, 1, compared) }),
  (random) => ({ kind: "tuple", items: [{ kind: "int", value: BigInt(random(9)) }, { kind: "null" }] }),
];

it("random programs end like on the WebAssembly machine at version 13", async () => {
  const oracle = await WasmOracle.open();
  let count = 0;
  const property = asyncProperty(integer({ min: 1, max: 2 ** 31 }), async (seed) => {
    const random = makeRandom(seed);
    const stack = Array.from({ length: random(6) }, () => (makers[random(makers.length)] as Maker)(random));
    const run = makeGetMethodRun(randomCode(random, 1, compared), { config, stack, gasLimit: 20_000n });
    const expected = await oracle.runGetMethod(run, undefined);
    if (expected === undefined) return;
    count++;
    const { exitCode, gasUsed, stack: left } = await runGetMethod(run, host);
    expect({ exitCode, gasUsed, stack: storeCell(VmStack, left).hash() }).toEqual(expected);
  });
  await assert(property, { numRuns, seed: 15 });
  expect(count).toBeGreaterThan(0.9 * numRuns);
});
