import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { cell as cellRef } from "../../../src/cell/codec.ts";
import { dictionary, makeDictionary } from "../../../src/cell/dictionary.ts";
import { uintKey } from "../../../src/cell/keys.ts";
import { sliceOf } from "../../../src/cell/Slice.ts";
import { findText, loadChunked, loadSnake, storeSnake } from "../../../src/model/content/Snake.ts";
import { storeChunked } from "../../kit/model/codecs/contentStores.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const limit = 8192;
const someBytes = fc.uint8Array({ maxLength: 1000 });

describe("snake data", () => {
  it("round-trips after any prefix", () => {
    fc.assert(
      fc.property(someBytes, fc.nat({ max: 1023 }), (bytes, before) => {
        const builder = beginCell();
        for (let i = 0; i < before; i++) builder.storeBit(true);
        storeSnake(builder, bytes);
        expect(loadSnake(sliceOf(builder.cell()).skip(before), limit)).toEqual(bytes);
      }),
    );
  });

  it("ignores references after the first", () => {
    const next = beginCell().storeUint(0x42, 8).cell();
    const slice = sliceOf(beginCell().storeUint(0x41, 8).storeRef(next).storeRef(emptyCell).cell());
    expect(Buffer.from(loadSnake(slice, limit)).toString()).toBe("AB");
    expect(slice.isEmpty).toBe(true);
  });

  it("is rejected if it is not whole bytes or too long", () => {
    expect(refusalCode(() => loadSnake(sliceOf(beginCell().storeUint(1, 7).cell()), limit))).toBe("model/value");
    const long = beginCell();
    storeSnake(long, new Uint8Array(limit + 1));
    expect(refusalCode(() => loadSnake(sliceOf(long.cell()), limit))).toBe("model/value");
    expect(loadSnake(sliceOf(long.cell()), limit + 1).length).toBe(limit + 1);
  });
});

describe("chunked data", () => {
  it("round-trips", () => {
    fc.assert(
      fc.property(someBytes, (bytes) => {
        const builder = beginCell();
        storeChunked(builder, bytes);
        expect(loadChunked(sliceOf(builder.cell()), limit)).toEqual(bytes);
      }),
    );
  });

  it("ends at the first missing chunk", () => {
    const chunk = (text: string): Cell => beginCell().storeBytes(Buffer.from(text)).cell();
    const key = uintKey(32);
    const made = makeDictionary(key, cellRef, [
      [0, chunk("a")],
      [1, chunk("b")],
      [3, chunk("d")],
    ]);
    const builder = beginCell();
    dictionary(key, cellRef).store(builder, made);
    expect(Buffer.from(loadChunked(sliceOf(builder.cell()), limit)).toString()).toBe("ab");
  });

  it("is limited when shared cells represent every possible chunk", () => {
    let node = beginCell().storeUint(0, 2).storeRef(emptyCell).cell();
    for (let i = 0; i < 32; i++) node = beginCell().storeUint(0, 2).storeRef(node).storeRef(node).cell();
    const slice = sliceOf(beginCell().storeBit(true).storeRef(node).cell());
    expect(refusalCode(() => loadChunked(slice, limit))).toBe("model/value");
  });
});

describe("text", () => {
  it("is UTF-8 or rejected", () => {
    expect(findText(Buffer.from("Привет \ufffd 🤡"))).toBe("Привет \ufffd 🤡");
    expect(findText(Buffer.from("\ufeffx"))).toBe("\ufeffx");
    expect(findText(Uint8Array.of(0x41, 0xff))).toBeUndefined();
    expect(findText(new Uint8Array())).toBe("");
  });
});
