import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../../src/lib/random.ts";
import { type Dump, type FaultTrials, openFaultTrials } from "../../kit/history/faultTrials.ts";
import { type Fault, randomTrouble } from "../../kit/history/indexFaults.ts";
import { repeats } from "../../kit/suite/everything.ts";
import { faultSeed } from "../../kit/suite/faultSeed.ts";

/** Each of the first blocks has a trace that ends in the next one; the basechain splits at block fifteen. */
const ranges = [
  { from: 1, to: 8 },
  { from: 14, to: 22 },
  { from: 14, to: 22 },
] as const;
const groups = repeats({ usual: 1, all: 4 });
const seeds = Array.from({ length: groups * 10 }, (_, index) => `${faultSeed("faults")} ${index}`);
const inGroups = Array.from({ length: groups }, (_, index) => ({
  first: seeds[index * 10],
  last: seeds[index * 10 + 9],
  some: seeds.slice(index * 10, index * 10 + 10),
}));

let trials: FaultTrials;
const wholes: Dump[] = [];
beforeAll(async () => {
  trials = await openFaultTrials();
  for (const range of ranges) {
    await trials.clear();
    wholes.push(await trials.index(range));
  }
});
afterAll(() => trials?.close());

interface Outcome {
  readonly dump: Dump;
  readonly whole: Dump | undefined;
  readonly met: readonly Fault[];
}

async function indexFailing(seed: string): Promise<Outcome> {
  const random = seededRandom(seed);
  const which = random.int(ranges.length);
  const range = ranges[which] ?? ranges[0];
  await trials.clear();
  // Sometimes later blocks are indexed first: the gap is filled while the head is followed.
  if (random.int(3) === 0) await trials.index({ from: range.from + 3 + random.int(3), to: range.from + 6 });
  const { trouble, met } = randomTrouble(random, { rate: 0.08, max: 8 });
  try {
    const dump = await trials.index(range, trouble, random.int(6));
    return { dump, whole: wholes[which], met };
  } catch (error) {
    throw new Error(`seed "${seed}": ${met.join(", ")}: ${error}`, { cause: error });
  }
}

describe("an index whose server, database and process fail at random times", () => {
  it.each(inGroups)("has the same rows as one without failures ($first to $last)", async ({ some }) => {
    for (const seed of some) {
      const { dump, whole, met } = await indexFailing(seed);
      expect(dump, `seed "${seed}": ${met.join(", ")}`).toEqual(whole);
      expect(met.length, `seed "${seed}" met no fault`).toBeGreaterThan(0);
    }
  });
});
