import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../src/cell/Builder.ts";
import { loadCell, storeCell, varUint } from "../../src/cell/codec.ts";
import { uintKey } from "../../src/cell/keys.ts";
import { OutAction, OutList } from "../../src/model/OutAction.ts";
import { itHoldsForRandom } from "../kit/cell/checkCodec.ts";
import { anyCell, anyCoins, anyHash, anyUint, anyUint8, anyUint32, sampleOf } from "../kit/model/modelValues.ts";
import { anyDictionary } from "../kit/model/validatorValues.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

const currency = fc.record({
  coins: anyCoins,
  extra: anyDictionary(uintKey(32), varUint(32), anyUint32, anyCoins),
});
const library = fc.oneof(
  fc.record({ kind: fc.constant<"hash">("hash"), hash: anyHash }),
  fc.record({ kind: fc.constant<"ref">("ref"), library: anyCell }),
);
const anyAction: fc.Arbitrary<OutAction> = fc.oneof(
  fc.record({ kind: fc.constant<"sendMessage">("sendMessage"), mode: anyUint8, message: anyCell }),
  fc.record({ kind: fc.constant<"setCode">("setCode"), code: anyCell }),
  fc.record({ kind: fc.constant<"reserve">("reserve"), mode: anyUint8, currency }),
  fc.record({ kind: fc.constant<"changeLibrary">("changeLibrary"), mode: anyUint(7), library }),
);

describe("actions", () => {
  itHoldsForRandom("OutAction", OutAction, anyAction);
  itHoldsForRandom("OutList", OutList, fc.array(anyAction, { maxLength: 10 }));

  it("are in reverse order in the cells", () => {
    const actions: OutAction[] = [
      { kind: "setCode", code: emptyCell },
      { kind: "reserve", mode: 1, currency: sampleOf(currency) },
    ];
    const cell = storeCell(OutList, actions);
    expect(loadCell(OutAction, beginCell().storeUint(0xad4de08e, 32).storeRef(emptyCell).cell())).toEqual(actions[0]);
    expect(loadCell(OutList, cell.ref(0))).toEqual([actions[0]]);
    expect(storeCell(OutList, []).hash()).toBe(emptyCell.hash());
  });

  it("are rejected if one of them is unknown", () => {
    const node = beginCell().storeRef(emptyCell).storeUint(1, 32).cell();
    const cell = beginCell().storeRef(node).storeUint(0xad4de08e, 32).storeRef(emptyCell).cell();
    expect(refusalCode(() => loadCell(OutList, cell))).toBe("cell/tag");
  });

  it("may be as many as cells are deep", () => {
    const actions = Array.from({ length: 1020 }, (): OutAction => ({ kind: "setCode", code: emptyCell }));
    expect(loadCell(OutList, storeCell(OutList, actions)).length).toBe(1020);
    expect(refusalCode(() => storeCell(OutList, [...actions, ...actions]))).toBe("cell/depth");
  });
});
