import { describe, expect, it } from "vitest";
import { AccountQueries } from "../../../../src/history/ingest/source/AccountQueries.ts";
import { seededRandom } from "../../../../src/lib/random.ts";
import { LiteError } from "../../../../src/lite/errors.ts";
import { noEnd } from "../../../kit/history/ingestStage.ts";
import { ManualClock } from "../../../kit/suite/ManualClock.ts";

const lost = () => new LiteError("lite/lost", "gone");

describe("queries", () => {
  it("are retried with growing delays, up to a limit", async () => {
    const clock = new ManualClock();
    const queries = new AccountQueries({ clock, random: seededRandom("q") }, { attempts: 3 });
    let asked = 0;
    const answer = queries.run(async () => {
      asked++;
      throw lost();
    }, noEnd);
    const refused = expect(answer).rejects.toMatchObject({ code: "lite/lost" });
    for (let i = 0; i < 5; i++) await clock.advance(1_000);
    await refused;
    expect([asked, queries.repeated]).toEqual([3, 2]);
  });

  it("are not retried if the fault is ours", async () => {
    const queries = new AccountQueries({ clock: new ManualClock(), random: seededRandom("q") });
    const closed = queries.run(async () => Promise.reject(new LiteError("lite/closed", "closed")), noEnd);
    await expect(closed).rejects.toMatchObject({ code: "lite/closed" });
    expect(queries.repeated).toBe(0);
  });

  it("time out if an answer takes too long, and are retried", async () => {
    const clock = new ManualClock();
    const queries = new AccountQueries({ clock, random: seededRandom("q") }, { attempts: 2, answerMs: 1_000 });
    let asked = 0;
    const answer = queries.run(
      (signal) =>
        ++asked === 1
          ? new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
          : Promise.resolve("here"),
      noEnd,
    );
    for (let i = 0; i < 3; i++) await clock.advance(1_000);
    expect(await answer).toBe("here");
  });

  it("that start together share a deadline, and later ones have their own", async () => {
    const clock = new ManualClock();
    const queries = new AccountQueries({ clock, random: seededRandom("q") }, { attempts: 1, answerMs: 1_000 });
    const signals: AbortSignal[] = [];
    const start = () =>
      queries.run((signal) => {
        signals.push(signal);
        return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      }, noEnd);
    const outcomes = [start(), start()].map((each) => expect(each).rejects.toMatchObject({ code: "lib/deadline" }));
    await clock.advance(100);
    outcomes.push(expect(start()).rejects.toMatchObject({ code: "lib/deadline" }));
    expect(new Set(signals).size).toBe(2);
    await clock.advance(900);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false]);
    await clock.advance(100);
    await Promise.all(outcomes);
  });

  it("that start after the others have ended have a deadline of their own", async () => {
    const clock = new ManualClock();
    const queries = new AccountQueries({ clock, random: seededRandom("q") }, { attempts: 1, answerMs: 1_000 });
    const signals: AbortSignal[] = [];
    const answer = async (signal: AbortSignal) => signals.push(signal);
    await queries.run(answer, noEnd);
    await queries.run(answer, noEnd);
    await clock.advance(5_000);
    expect(new Set(signals).size).toBe(2);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  });
});
