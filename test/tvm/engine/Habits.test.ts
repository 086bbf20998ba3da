import { expect, it } from "vitest";
import { parseHash } from "../../../src/model/Hash.ts";
import { Habits } from "../../../src/tvm/engine/Habits.ts";

it("habits are remembered by their key, and none is none", () => {
  const habits = new Habits();
  const habit = { libraries: [parseHash("ab".repeat(32))], wantsWholeConfig: true };
  habits.set("code", habit);
  habits.set("plain code", { libraries: [], wantsWholeConfig: false });
  expect([habits.get("code"), habits.get("plain code"), habits.get("other code")]).toEqual([
    habit,
    { libraries: [], wantsWholeConfig: false },
    { libraries: [], wantsWholeConfig: false },
  ]);
});
