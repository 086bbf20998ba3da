import { describe, expect, it } from "vitest";
import { describeCorpusPart, readJson } from "../../kit/suite/corpus.ts";
import type { Action } from "../../src/contracts/engine/Action.ts";
import { isVisible, supportedTypes } from "../../src/contracts/visibility.ts";

function action(type: string, ancestors: readonly string[] = []): Action {
  return { type, ancestors } as Action;
}

describe("visible actions of a caller", () => {
  it("always include the oldest types", () => {
    expect(supportedTypes(["evaa"])).toEqual(
      new Set([...supportedTypes(["v1"]), "evaa_supply", "evaa_withdraw", "evaa_liquidate"]),
    );
  });

  it("default to the latest types", () => {
    expect(supportedTypes()).toEqual(supportedTypes(["latest"]));
  });

  it("include the parts of an event for callers that do not support it", () => {
    const part = action("jetton_transfer", ["jvault_stake"]);
    expect(isVisible(part, supportedTypes(["v1"]))).toBe(true);
    expect(isVisible(part, supportedTypes(["v2"]))).toBe(false);
    expect(isVisible(action("jvault_stake"), supportedTypes(["v1"]))).toBe(false);
  });
});

type RecordedSets = Readonly<Record<string, readonly string[]>>;

/** Of two recordings of a set the newer one, which is the second, counts. */
const files = ["traces/action-type-sets.json", "traces-additions/action-type-sets-v5.json"];

describeCorpusPart("the recorded sets of types", files, (folder) => {
  it("expand as recorded", () => {
    const recorded = files.map((file) => readJson(folder, file) as { readonly expanded: RecordedSets });
    const expanded: RecordedSets = Object.assign({}, ...recorded.map((each) => each.expanded));
    for (const [name, types] of Object.entries(expanded)) {
      expect([...supportedTypes([name])].sort(), name).toEqual(
        [...new Set([...types, ...supportedTypes(["v1"])])].sort(),
      );
    }
  });
});
