import { describe, expect, it } from "vitest";
import { getConfigParam } from "../../src/model/config/ConfigParams.ts";
import { findVersionGap, supportedGlobalVersion } from "../../src/tvm/globalVersion.ts";
import { setConfigParam } from "../kit/model/codecs/configParams.ts";
import { readSmallConfig } from "../kit/tvm/tvmValues.ts";

describe("the gap between network and machine", () => {
  const config = readSmallConfig();
  const withVersion = (version: number) => setConfigParam(config, 8, { ...getConfigParam(config, 8), version });

  it("is none up to the machine's version", () => {
    expect([0, 12, supportedGlobalVersion].map((version) => findVersionGap(withVersion(version)))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("is reported for a newer network", () => {
    expect(findVersionGap(withVersion(supportedGlobalVersion + 1))).toEqual({
      supported: supportedGlobalVersion,
      network: supportedGlobalVersion + 1,
    });
  });
});
