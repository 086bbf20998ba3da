import { describe, expect, it } from "vitest";
import { beginCell } from "../../../../src/cell/Builder.ts";
import type { Cell } from "../../../../src/cell/Cell.ts";
import { cell as cellCodec } from "../../../../src/cell/codec.ts";
import { makeDictionary } from "../../../../src/cell/dictionary.ts";
import { uintKey } from "../../../../src/cell/keys.ts";
import { readOrderActions } from "../../../../src/contracts/families/multisig/orderActions.ts";

const nothing = { destination: undefined, value: undefined, body: undefined, sendMode: 0 };

function orderOf(...actions: readonly Cell[]): Cell {
  const { root } = makeDictionary(
    uintKey(8),
    cellCodec,
    actions.map((action, at) => [at, action]),
  );
  if (root === undefined) throw new Error("an order has actions");
  return root;
}

/** An outgoing external message with this body. */
function sending(body: Cell): Cell {
  const message = beginCell().storeUint(0b11, 2).storeUint(0, 50).storeUint(0, 50).storeBit(false).storeBit(true);
  return beginCell().storeUint(0xf1381e5b, 32).storeUint(1, 8).storeRef(message.storeRef(body).cell()).cell();
}

/** A chain of full cells. */
function chain(length: number): Cell {
  let cell = beginCell().cell();
  for (let at = 0; at < length; at++) cell = beginCell().storeBytes(new Uint8Array(120).fill(at)).storeRef(cell).cell();
  return cell;
}

describe("the actions of an order", () => {
  it("are none without a dictionary", () => {
    expect(readOrderActions(beginCell().cell())).toEqual([]);
    expect(readOrderActions(beginCell().storeUint(0xffff, 16).cell())).toEqual([]);
  });

  it("are listed one by one, including unreadable ones", () => {
    const cut = beginCell().storeUint(0xf1381e5b, 32).storeUint(3, 8).cell();
    const short = beginCell().storeUint(1, 5).cell();
    const params = beginCell().storeUint(0x1d0cfbd3, 32).storeUint(2, 8).cell();
    const strange = beginCell().storeUint(7, 32).cell();
    const failed = (error: unknown) => ({ ...nothing, content: { kind: "failed", error } });
    expect(readOrderActions(orderOf(cut, short, params, strange))).toEqual([
      failed(expect.any(String)),
      failed(expect.any(String)),
      failed(expect.any(String)),
      failed("unknown action 0x00000007"),
    ]);
  });

  it("stay within bounds when many of them share one large body", () => {
    const action = sending(chain(900));
    const actions = readOrderActions(orderOf(...Array.from({ length: 200 }, () => action)));
    const shown = actions.filter(({ body }) => body !== undefined);
    expect(actions).toHaveLength(200);
    expect(shown).toHaveLength(2);
    const error = "the order is too large to be shown";
    expect(actions.at(-1)).toEqual({ ...nothing, content: { kind: "failed", error } });
  });
});
