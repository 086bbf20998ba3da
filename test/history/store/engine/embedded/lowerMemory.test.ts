import { describe, expect, it } from "vitest";
import { compileEngine } from "../../../../../src/history/store/engine/embedded/compileEngine.ts";
import { lowerMemory } from "../../../../../src/history/store/engine/embedded/lowerMemory.ts";

const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const text = (name: string) => [name.length, ...Buffer.from(name)];
const named = (name: string, ...what: number[]) => [...text("env"), ...text(name), ...what];

/** A module that imports one thing of each kind; the last is a memory of 2048 pages. */
const [someType, oneFunction] = [
  [1, 4, 1, 0x60, 0, 0],
  [0, 0],
];
const things = [
  named("call", ...oneFunction),
  named("table", 1, 0x70, 1, 1, 2),
  named("short table", 1, 0x70, 0, 1),
  named("number", 3, 0x7f, 0),
  named("tag", 4, 0, 0),
];
const memory = named("memory", 2, 1, 0x80, 0x10, 0x80, 0x80, 2);

function codeWith(imports: readonly (readonly number[])[]): Uint8Array {
  const body = [imports.length, ...imports.flat()];
  return Uint8Array.of(...header, ...someType, 2, body.length, ...body);
}

/** The bytes of the minimum size, which are the second and third of the memory type. */
function leastOf(code: Uint8Array): number[] {
  const at = code.length - 5;
  return [...code.subarray(at, at + 2)];
}

describe("code with an imported memory", () => {
  it("requires less, and is otherwise unchanged", () => {
    const code = codeWith([...things, memory]);
    const whole = Uint8Array.from(code);
    expect(leastOf(code)).toEqual([0x80, 0x10]);
    expect(lowerMemory(code, 512)).toBe(true);
    expect(leastOf(code)).toEqual([0x80, 0x04]);
    code.set([0x80, 0x10], code.length - 5);
    expect(code).toEqual(whole);
  });

  it("is unchanged if it needs less, no memory, or an unknown kind", () => {
    const codes = [codeWith([memory]), codeWith(things), Uint8Array.of(...header), codeWith([named("new", 9)])];
    const before = codes.map((code) => Uint8Array.from(code));
    expect(codes.map((code) => lowerMemory(code, 4096))).toEqual([false, false, false, false]);
    expect(codes).toEqual(before);
  });
});

describe("the built-in engine", () => {
  it("accepts a chosen memory size", async () => {
    const { memoryBytes } = await compileEngine();
    expect(memoryBytes).toBe(32 << 20);
  });
});
