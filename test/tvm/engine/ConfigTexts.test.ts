import { describe, expect, it } from "vitest";
import { readRoot } from "../../../src/cell/boc.ts";
import { fromBase64 } from "../../../src/lib/bytes.ts";
import { getConfigParam, setConfigParam } from "../../../src/model/config/ConfigParams.ts";
import { ConfigTexts } from "../../../src/tvm/engine/ConfigTexts.ts";
import { makeLargeConfig, readSmallConfig } from "../../kit/tvm/tvmValues.ts";

describe("texts of a configuration", () => {
  it("are the whole one, and a slim one where that saves much", () => {
    const texts = new ConfigTexts();
    const [small, large] = [readSmallConfig(), makeLargeConfig()];
    expect(texts.get(small).slim).toBeUndefined();
    const { whole, slim } = texts.get(large);
    expect(readRoot(fromBase64(whole.boc ?? "")).hash()).toBe(large.params.root?.hash());
    expect(slim?.leftOut.length).toBe(2);
    expect((slim?.text.boc?.length ?? 0) * 5).toBeLessThan(whole.boc?.length ?? 0);
    expect(slim?.text.key).not.toBe(whole.key);
  });

  it("are made once for each configuration, however it is handed in, and the last few are kept", () => {
    const texts = new ConfigTexts();
    const config = readSmallConfig();
    const first = texts.get(config);
    expect(texts.get(readSmallConfig())).toBe(first);
    const { capabilities } = getConfigParam(config, 8);
    const others = Array.from({ length: 8 }, (_, version) => setConfigParam(config, 8, { version, capabilities }));
    for (const other of others) texts.get(other);
    expect(texts.get(config)).not.toBe(first);
  });
});
