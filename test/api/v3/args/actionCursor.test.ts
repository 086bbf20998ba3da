import { describe, expect, it } from "vitest";
import { findActionCursor, formatActionCursor } from "../../../../src/api/v3/args/actionCursor.ts";
import { sameDigits } from "../../../kit/api/v3/v3Stage.ts";

const position = {
  isByTime: false,
  sort: "desc",
  traceEnd: 34606141000001n,
  traceId: sameDigits("a"),
  end: 34606141000000n,
  actionId: sameDigits("7"),
} as const;

const [trace, action] = [position.traceId, position.actionId].map((hash) => `c420${hash}`);
const ofHex = (hex: string) => Buffer.from(hex, "hex").toString("base64url");

describe("a cursor of actions", () => {
  it("is an array of six in MessagePack, as base64url without padding", () => {
    expect(Buffer.from(formatActionCursor(position), "base64url").toString("hex")).toBe(
      `96c2c3d3${position.traceEnd.toString(16).padStart(16, "0")}${trace}d3${position.end.toString(16).padStart(16, "0")}${action}`,
    );
    expect(formatActionCursor(position)).not.toContain("=");
  });

  it("is read back", () => {
    for (const each of [position, { ...position, isByTime: true, sort: "asc" as const, traceEnd: -1n, end: 2n ** 62n }])
      expect(findActionCursor(formatActionCursor(each))).toEqual(each);
  });

  it.each([
    ["05", 5n],
    ["ff", -1n],
    ["cc80", 128n],
    ["cd0100", 256n],
    ["ce00010000", 65536n],
    ["cf0000000100000000", 2n ** 32n],
    ["d0ff", -1n],
    ["d1ff00", -256n],
    ["d2ffff0000", -65536n],
  ])("may have its numbers in any size: %s", (hex, value) => {
    expect(findActionCursor(ofHex(`96c3c2${hex}${trace}${hex}${action}`))).toEqual({
      ...{ isByTime: true, sort: "asc", traceEnd: value, end: value },
      ...{ traceId: position.traceId, actionId: position.actionId },
    });
  });

  it("is refused when it is cut, longer, padded, of another kind or beyond 64 bits", () => {
    const whole = Buffer.from(formatActionCursor(position), "base64url");
    const cut = Array.from(whole, (_, length) => whole.subarray(0, length).toString("base64url"));
    const bent = [
      ofHex(`95c2c305${trace}05`),
      ofHex(`96c0c305${trace}05${action}`),
      ofHex(`96c2c3a105${trace}05${action}`),
      ofHex(`96c2c3cfffffffffffffffff${trace}05${action}`),
      ofHex(`96c2c305c41f${position.traceId}05${action}`),
    ];
    const texts = [
      ...cut,
      ...bent,
      `${formatActionCursor(position)}AA`,
      `${formatActionCursor(position)}=`,
      "AAAA",
      "+/",
    ];
    expect(texts.map((text) => [text, findActionCursor(text)])).toEqual(texts.map((text) => [text, undefined]));
  });
});
