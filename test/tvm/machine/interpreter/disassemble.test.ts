import { describe, expect, it } from "vitest";
import { beginCell } from "../../../../src/cell/Builder.ts";
import { readRoot } from "../../../../src/cell/boc.ts";
import type { Cell } from "../../../../src/cell/Cell.ts";
import { readContractMethods } from "../../../../src/contracts/kit/contractMethods.ts";
import { fromBase64 } from "../../../../src/lib/bytes.ts";
import { walletCodes } from "../../../../src/localnet/codes/walletCodes.ts";
import { disassemble } from "../../../../src/tvm/machine/interpreter/disassemble.ts";
import { instructions } from "../../../../src/tvm/machine/interpreter/instructions.ts";

const textOf = (code: Cell) => disassemble(code).lines.map(({ depth, text }) => `${" ".repeat(depth)}${text}`);

describe("a listing of code", () => {
  it("has instructions with their operands, and code within code in braces", () => {
    const inner = beginCell().storeUint(0x71, 8).cell();
    // PUSHINT 5; PUSHCONT { PUSHINT 1, INC }; IFREFELSEREF; CALLREF of the same; then an implicit jump.
    const code = beginCell()
      .storeUint(0x75_92_71_a4, 32)
      .storeUint(0xdb3c, 16)
      .storeRef(inner)
      .storeUint(0xdb3c, 16)
      .storeRef(inner)
      .storeRef(beginCell().storeUint(0x5b, 8).cell())
      .cell();
    expect(textOf(code)).toEqual([
      "PUSHINT 5",
      "PUSHCONT {",
      " PUSHINT 1",
      " INC",
      "}",
      "CALLREF",
      "{",
      " PUSHINT 1",
      "}",
      "CALLREF",
      "{",
      ` (listed above: ${inner.hash().toUpperCase()})`,
      "}",
      "(goes on in the next cell)",
      "2DROP",
    ]);
  });

  it.each(Object.keys(walletCodes) as (keyof typeof walletCodes)[])("reads all of the wallet %s", (version) => {
    const code = readRoot(fromBase64(walletCodes[version].boc));
    const { lines, isCut } = disassemble(code);
    expect(lines.filter(({ text }) => text.startsWith("(invalid)"))).toEqual([]);
    expect([isCut, lines.length > 20]).toEqual([false, true]);
    const methods = lines.flatMap(({ method }) => method ?? []);
    expect(methods).toEqual(readContractMethods(code) ?? []);
  });

  it("stops at what is no instruction", () => {
    const sorted = instructions.toSorted((x, y) => x.first - y.first);
    const gap = sorted.findIndex(({ last }, at) => (sorted[at + 1]?.first ?? 0) > last + 1);
    const none = (sorted[gap]?.last ?? 0) + 1;
    const hex = none.toString(16).toUpperCase().padStart(6, "0");
    const code = beginCell().storeUint(0x71, 8).storeUint(none, 24).cell();
    expect(textOf(code)).toEqual(["PUSHINT 1", `(invalid) x${hex}`]);
  });

  it("lists shared cells once, and code that only goes deeper to a limit", () => {
    let tree = beginCell().storeUint(0x71, 8).cell();
    for (let depth = 0; depth < 500; depth++)
      tree = beginCell().storeUint(0xdb3c_db3c, 32).storeRef(tree).storeRef(tree).cell();
    const { lines, isCut } = disassemble(tree);
    expect([isCut, lines.length < 1_000, lines.some(({ text }) => text === "(too deep)")]).toEqual([false, true, true]);
  });

  it("has at most 20,000 lines", () => {
    const leaf = (n: number) =>
      beginCell()
        .storeUint(0x80, 8)
        .storeUint(n & 0xff, 8)
        .storeUint(n >> 8, 8)
        .storeUint(0xa4, 8);
    let level = Array.from({ length: 8_192 }, (_, n) => leaf(n).cell());
    while (level.length > 1) {
      const below = level;
      level = Array.from({ length: below.length / 2 }, (_, n) =>
        beginCell()
          .storeUint(0xdb3c_db3c, 32)
          .storeRef(below[2 * n] as Cell)
          .storeRef(below[2 * n + 1] as Cell)
          .cell(),
      );
    }
    const { lines, isCut } = disassemble(level[0] as Cell);
    expect([lines.length, isCut]).toEqual([20_000, true]);
  });
});
