import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DemoStage, openDemoStage } from "../../kit/demoStage.ts";
import { filteredLists, inAnyOrder, someOf, walkList } from "../../kit/v3Filters.ts";

let stage: DemoStage;
beforeAll(async () => {
  stage = await openDemoStage();
});
afterAll(() => stage.close());

describe.each(filteredLists)("$path of the demo chain", (list) => {
  it("gives by every filter the items of the whole list that it lets through", async () => {
    const all = await walkList(stage.ask, list);
    expect(all.length).toBeGreaterThan(0);
    for (const item of someOf(all, 4))
      for (const { args, keeps } of list.filters(item)) {
        const found = await walkList(stage.ask, list, args);
        expect([args, inAnyOrder(found)]).toEqual([args, inAnyOrder(all.filter(keeps))]);
      }
  });
});
