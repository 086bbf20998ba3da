import { expect, it } from "vitest";
import { makeFrame, opcodes } from "../../../../kit/attacks/RawWebSocket.ts";
import { FrameMeter } from "../../../../src/api/stream/websocket/FrameMeter.ts";

const begun = makeFrame(opcodes.text, Buffer.from("{"), { isFinal: false });
const ended = makeFrame(opcodes.continuation, Buffer.from("}"));
const frames = [
  makeFrame(opcodes.text, Buffer.from("{}")),
  makeFrame(opcodes.ping),
  begun,
  makeFrame(opcodes.ping, Buffer.alloc(125)),
  makeFrame(opcodes.continuation, Buffer.alloc(0), { isFinal: false }),
  makeFrame(opcodes.continuation, Buffer.alloc(300), { isFinal: false }),
  ended,
  makeFrame(opcodes.binary, Buffer.alloc(70_000)),
  makeFrame(opcodes.text, Buffer.from("{}"), { isMasked: false }),
];

it("counts every frame once, wherever the bytes are cut", () => {
  const bytes = Buffer.concat(frames);
  for (const size of [1, 2, 3, 5, 7, 64, 1_000, 65_536, bytes.length]) {
    const meter = new FrameMeter();
    let count = 0;
    for (let at = 0; at < bytes.length; at += size) count += meter.take(bytes.subarray(at, at + size));
    expect([size, count, meter.heldBytes]).toEqual([size, frames.length, 0]);
  }
});

it("counts what waits for the end of a message, with control frames that came in between", () => {
  const meter = new FrameMeter();
  meter.take(begun);
  const first = meter.heldBytes;
  expect(first).toBeGreaterThan(begun.length);

  const ping = makeFrame(opcodes.ping, Buffer.alloc(100));
  meter.take(ping);
  expect(meter.heldBytes).toBeGreaterThan(first + ping.length);

  meter.take(ended);
  expect(meter.heldBytes).toBe(0);

  meter.take(ended.subarray(0, 1));
  expect(meter.heldBytes).toBeGreaterThan(0);
});
