import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Frame, FrameReader } from "../../web/api/frames.ts";

const text = [
  'event: connected\ndata: {"status":"subscribed"}\n\n',
  ": keepalive\n\n",
  'id: c1.AAA\nevent: event\ndata: {"type":"blocks"}\n\n',
  "id: c1.BBB\n\n",
  "data: one\ndata: two\n\n",
].join("");

const frames: readonly Frame[] = [
  { event: "connected", data: '{"status":"subscribed"}', id: "" },
  { event: "", data: "", id: "" },
  { event: "event", data: '{"type":"blocks"}', id: "c1.AAA" },
  { event: "", data: "", id: "c1.BBB" },
  { event: "", data: "one\ntwo", id: "" },
];

describe("frames of server-sent events", () => {
  it("are the same for any chunks of the text, and with either line ending", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: text.length }), { maxLength: 20 }), fc.boolean(), (cuts, isCrLf) => {
        const found: Frame[] = [];
        const reader = new FrameReader((frame) => found.push(frame));
        const sent = isCrLf ? text.replaceAll("\n", "\r\n") : text;
        let from = 0;
        for (const cut of [...cuts.toSorted((a, b) => a - b), sent.length]) {
          reader.push(sent.slice(from, Math.max(from, cut)));
          from = Math.max(from, cut);
        }
        expect(found).toEqual(frames);
      }),
    );
  });
});
