import { describe, expect, it } from "vitest";
import { listProvable, provableNames } from "../../../kit/lite/provenAnswer.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { tryForgedAnswers } from "../../kit/lite/forgedAnswers.ts";
import { readRecorded } from "../../kit/lite/recordedAnswer.ts";
import { repeats } from "../../kit/suite/everything.ts";

const exchanges = listProvable(readRecorded());
const plan = {
  flips: repeats({ usual: 20, all: 60 }),
  forgeries: repeats({ usual: 30, all: 90 }),
  donors: repeats({ usual: 1, all: 3 }),
};

describe("forged recorded answers", () => {
  it.each(provableNames)("to %s are rejected, or change nothing", (name) => {
    const reported = exchanges.filter((exchange) => exchange.name === name);
    const { refused, harmless, accepted, crashed } = tryForgedAnswers(reported, plan, seededRandom(name));
    expect({ accepted, crashed }).toEqual({ accepted: [], crashed: [] });
    // Most forgeries touch proved values, so a check that accepts everything would fail here.
    expect(refused).toBeGreaterThan(harmless);
    expect(refused).toBeGreaterThan(plan.forgeries / 2);
  });
});
