import { describe, expect, it } from "vitest";
import { clientName, siteName } from "../../../src/api/access/clientAddress.ts";
import { Gatekeeper } from "../../../src/api/access/Gatekeeper.ts";
import { MemoryLimits } from "../../../src/api/access/limits.ts";
import { isCoded } from "../../../src/lib/errors.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

function openGate(perSecond: number): Gatekeeper {
  const limits = new MemoryLimits({ maxNames: 100_000 }, new ManualClock());
  return new Gatekeeper(
    { network: "mainnet", plans: new Map(), keyless: { perSecond, burst: 1 } },
    { keys: { find: () => undefined }, limits },
  );
}

/** The code of each refusal, or "ok". */
function outcomesOf(count: number, ask: (at: number) => unknown): readonly string[] {
  return Array.from({ length: count }, (_, at) => {
    try {
      ask(at);
      return "ok";
    } catch (error) {
      if (isCoded(error)) return error.code;
      throw error;
    }
  });
}

const countOf = (outcomes: readonly string[], code: string) => outcomes.filter((each) => each === code).length;

describe("limits of clients", () => {
  it("count networks of one site of IPv6 together, with a wider allowance", () => {
    const gate = openGate(1);
    const outcomes = outcomesOf(1_000, (at) =>
      gate.admit(undefined, () => clientName(`2001:db8:7:${at.toString(16)}::1`)),
    );
    expect([countOf(outcomes, "ok"), countOf(outcomes, "api/limit")]).toEqual([16, 984]);
    expect(outcomesOf(1, () => gate.admit(undefined, () => clientName("2001:db8:8::1")))).toEqual(["ok"]);
    expect([siteName(clientName("2001:db8:7:1::1")), siteName("10.0.0.1")]).toEqual(["2001:0db8:0007::/48", undefined]);
  });

  it("count refused keys by address", () => {
    const gate = openGate(1);
    const outcomes = outcomesOf(200, (at) => gate.admit(`guess ${at}`, () => "10.0.0.1"));
    expect([countOf(outcomes, "api/key"), countOf(outcomes, "api/limit")]).toEqual([100, 100]);
    expect(outcomesOf(1, () => gate.admit("guess", () => "10.0.0.2"))).toEqual(["api/key"]);
    expect(outcomesOf(1, () => gate.admit(undefined, () => "10.0.0.1"))).toEqual(["ok"]);
  });

  it("count pages and metrics by address, each kind alone", () => {
    const gate = openGate(1);
    expect(
      countOf(
        outcomesOf(1_000, () => gate.admitPage("page", () => "10.0.0.1")),
        "ok",
      ),
    ).toBe(300);
    expect(
      countOf(
        outcomesOf(100, () => gate.admitPage("metrics", () => "10.0.0.1")),
        "ok",
      ),
    ).toBe(20);
    expect(outcomesOf(1, () => gate.admitPage("page", () => "10.0.0.2"))).toEqual(["ok"]);
  });

  it("count nothing of callers without limits", () => {
    const gate = openGate(Number.POSITIVE_INFINITY);
    expect(
      countOf(
        outcomesOf(1_000, () => gate.admitPage("page", () => "10.0.0.1")),
        "ok",
      ),
    ).toBe(1_000);
    expect(
      countOf(
        outcomesOf(1_000, () => gate.admit("guess", () => "10.0.0.1")),
        "api/key",
      ),
    ).toBe(1_000);
  });
});
