import { describe, expect, it } from "vitest";
import type { Config } from "../../../src/model/config/ConfigParams.ts";
import { configFromRoot } from "../../../src/model/config/ConfigParams.ts";
import { slimConfig } from "../../../src/tvm/engine/slimConfig.ts";
import { makeLargeConfig, readSmallConfig } from "../../kit/tvm/tvmValues.ts";

function rootOf(config: Config) {
  const { root } = config.params;
  if (root === undefined) throw new Error("no parameters");
  return root;
}

describe("a slim configuration", () => {
  const large = makeLargeConfig();
  const slim = slimConfig(rootOf(large));
  const { params } = configFromRoot(slim.root);

  it("has every parameter but the validator sets", () => {
    const kept = large.params.entries().filter(([id]) => id < 32 || id > 37);
    expect(kept.map(([id]) => [id, params.find(id)?.hash()])).toEqual(kept.map(([id, cell]) => [id, cell.hash()]));
  });

  it("has a library cell in the place of each branch left out", () => {
    expect(slim.leftOut.length).toBeGreaterThan(0);
    for (const id of [32, 34]) expect(() => params.find(id)).toThrow(expect.objectContaining({ code: "cell/exotic" }));
  });

  it("leads to every other parameter, there or not, as the whole one does", () => {
    const others = Array.from({ length: 256 }, (_, id) => id - 128).filter((id) => id < 32 || id > 37);
    expect(others.map((id) => params.find(id)?.hash())).toEqual(others.map((id) => large.params.find(id)?.hash()));
  });

  it("is the configuration itself when there is nothing to leave out", () => {
    const none = [32, 33, 34, 35, 36, 37].reduce((rest, id) => rest.delete(id), readSmallConfig().params);
    const root = rootOf({ params: none });
    const same = slimConfig(root);
    expect([same.root.hash(), same.leftOut]).toEqual([root.hash(), []]);
  });
});
