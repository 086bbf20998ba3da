import { describe, expect, it } from "vitest";
import { type Call, labelSize, placeLanes } from "../../web/trace/lanes.ts";
import { textWidth } from "../../web/trace/textWidth.ts";

/** Lanes that the words of a message touch. */
function crossed(count: number, calls: readonly Call[]): number {
  const { xs, calls: placed } = placeLanes(count, calls);
  return calls.reduce((sum, { words }, at) => {
    const half = Math.max(...words.map((each) => textWidth(each, labelSize))) / 2;
    const middle = placed[at]?.middle ?? 0;
    return sum + xs.filter((x) => x > middle - half && x < middle + half).length;
  }, 0);
}

const long = ["Jetton internal transfer notice", "0.094749200 TON"];

describe("the lanes of a sequence", () => {
  it("leave the words of every message between two lifelines: over one lane, over many, back, and to itself", () => {
    const calls: readonly Call[] = [
      { from: -1, to: 0, words: ["W5 external signed request", ""] },
      { from: 0, to: 1, words: long },
      { from: 0, to: 3, words: long },
      { from: 3, to: 0, words: ["Excess", "0.0707268 TON"] },
      { from: 2, to: 2, words: long },
      { from: 0, to: 0, words: long },
    ];
    expect(crossed(4, calls)).toBe(0);
  });

  it("place arrows from lifeline to lifeline", () => {
    const { xs, calls, width } = placeLanes(2, [
      { from: -1, to: 0, words: ["ping"] },
      { from: 0, to: 1, words: ["ping"] },
      { from: 1, to: 0, words: ["ping"] },
      { from: 1, to: 1, words: ["ping"] },
    ]);
    expect(xs).toEqual([70, 200]);
    expect(calls).toEqual([
      { start: 10, end: 70, middle: 40 },
      { start: 70, end: 200, middle: 135 },
      { start: 200, end: 70, middle: 135 },
      { start: 154, end: 200, middle: 135 },
    ]);
    expect(width).toBe(236);
  });
});
