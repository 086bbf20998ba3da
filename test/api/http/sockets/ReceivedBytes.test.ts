import { expect, it } from "vitest";
import { ReceivedBytes, type Receiver } from "../../../../src/api/http/sockets/ReceivedBytes.ts";
import { ManualClock } from "../../../kit/suite/ManualClock.ts";

interface FakeReceiver extends Receiver {
  receivedBytes: number;
  isEnded: boolean;
}

function setUp(maxBytes: number) {
  const clock = new ManualClock();
  const received = new ReceivedBytes(clock, maxBytes);
  const begin = (isPaused = false): FakeReceiver => {
    const receiver: FakeReceiver = {
      receivedBytes: 0,
      isPaused,
      isEnded: false,
      refuseSlow: () => {
        receiver.isEnded = true;
        received.end(receiver);
        received.hold(receiver, 0);
      },
    };
    received.begin(receiver);
    return receiver;
  };
  return { clock, received, begin };
}

it("counts nothing of ordinary requests, and the rest of large ones until they are complete", () => {
  const { received, begin } = setUp(100_000);
  const receiver = begin();
  expect(received.hold(receiver, 8_192)).toBe(true);
  expect(received.bytes).toBe(0);
  received.hold(receiver, 58_192);
  expect(received.bytes).toBe(50_000);
  received.hold(receiver, 0);
  expect(received.bytes).toBe(0);
});

it("refuses the one that exceeds the budget while all are recent, and later ends the oldest for it", async () => {
  const { clock, received, begin } = setUp(100_000);
  const [first, second] = [begin(), begin()];
  expect(received.hold(first, 108_192)).toBe(true);
  expect(received.hold(second, 9_000)).toBe(false);
  received.hold(second, 0);
  await clock.advance(6_000);
  expect(received.hold(second, 9_000)).toBe(true);
  expect([first.isEnded, second.isEnded]).toEqual([true, false]);
});

it("ends requests that bring less than 1 KB a second, unless this server keeps them waiting", async () => {
  const { clock, begin } = setUp(100_000);
  const [slow, fast, paused] = [begin(), begin(), begin(true)];
  fast.receivedBytes = 20_000;
  await clock.advance(10_000);
  expect([slow.isEnded, fast.isEnded, paused.isEnded]).toEqual([true, false, false]);
  await clock.advance(10_000);
  expect(fast.isEnded).toBe(true);
});
