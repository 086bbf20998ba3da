import { expect, it } from "vitest";
import { emptyCell } from "../../../src/cell/Builder.ts";
import { StateCache } from "../../../src/localnet/ledger/StateCache.ts";

it("drops the states that were used the longest ago beyond its number or its bytes, but never the newest few", () => {
  const states = new StateCache({ max: 4, least: 2, maxBytes: 100 });
  const keys = () => ["a", "b", "c", "d", "e", "f"].filter((key) => states.find(key) !== undefined);
  for (const key of ["a", "b", "c", "d", "e"]) states.set(key, emptyCell, 10);
  expect(keys()).toEqual(["b", "c", "d", "e"]);
  expect(states.bytes).toBe(40);

  states.find("b");
  states.set("f", emptyCell, 85);
  expect(keys()).toEqual(["b", "f"]);

  states.set("a", emptyCell, 500);
  expect(keys()).toEqual(["a", "f"]);
  expect(states.bytes).toBe(585);
});

it("counts a state once that is set again, and keeps anchors", () => {
  const states = new StateCache({ max: 4, least: 0, maxBytes: 100 });
  states.setAnchor("z", emptyCell);
  states.set("a", emptyCell, 60);
  states.set("a", emptyCell, 30);
  states.set("b", emptyCell, 60);
  expect([states.bytes, states.find("a"), states.find("z")]).toEqual([90, emptyCell, emptyCell]);
});
