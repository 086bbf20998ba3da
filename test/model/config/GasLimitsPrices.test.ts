import { describe, expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import { GasLimitsPrices, gasPricesOf } from "../../../src/model/config/GasLimitsPrices.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const prices = { gasPrice: 1n, gasLimit: 2n, gasCredit: 3n, blockGasLimit: 4n, freezeDueLimit: 5n, deleteDueLimit: 6n };

describe("gas prices", () => {
  it("are the same whichever constructors wrote them", () => {
    const none = { flatGasLimit: 0n, flatGasPrice: 0n };
    expect(gasPricesOf({ kind: "plain", ...prices })).toEqual({ ...prices, ...none, specialGasLimit: 2n });
    const extended = { kind: "extended" as const, ...prices, specialGasLimit: 9n };
    expect(gasPricesOf(extended)).toEqual({ ...prices, ...none, specialGasLimit: 9n });
    expect(gasPricesOf({ kind: "flat", flatGasLimit: 7n, flatGasPrice: 8n, other: extended })).toEqual({
      ...prices,
      specialGasLimit: 9n,
      flatGasLimit: 7n,
      flatGasPrice: 8n,
    });
  });

  it("are refused when there is nothing behind their prefixes", () => {
    const builder = beginCell();
    for (let i = 0; i < 7; i++) builder.storeUint(0xd1, 8).storeBigUint(1n, 128);
    expect(refusalCode(() => loadCell(GasLimitsPrices, builder.cell()))).toBe("cell/tag");
  });
});
