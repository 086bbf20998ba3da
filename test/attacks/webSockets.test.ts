import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AttackedProcess } from "../../kit/attacks/attackedProcess.ts";
import { streamSocketAttacks, type WebSocketAttack, webSocketAttacks } from "../../kit/attacks/webSockets.ts";
import { atThisSpeed } from "../kit/attacks/atThisSpeed.ts";
import { openAttacked } from "../kit/attacks/openAttacked.ts";
import { someOf } from "../kit/suite/everything.ts";

const heldBytes = 150_000_000;
/**
 * What may live after a collection: 32 MiB of unfinished messages, and two chunks of 64 KiB that each of 150 sockets
 * may have read before it was paused, are 53 MB.
 */
const liveMark = 60_000_000;
const pieceMs = 50;

let attacked: AttackedProcess;
beforeAll(async () => {
  attacked = await openAttacked();
});
afterAll(() => attacked.stop());

/** Attacks the process and compares what it holds with what it held before. */
async function expectBounded(attack: WebSocketAttack, path?: string): Promise<void> {
  const idle = await attacked.measure();
  const end = await attack(attacked.origin, path);
  const { highestBytes, liveBytes, worstPieceMs } = await attacked.measure();
  end();
  expect(highestBytes - idle.residentBytes).toBeLessThan(heldBytes);
  expect(liveBytes - idle.liveBytes).toBeLessThan(liveMark);
  expect(worstPieceMs).toBeLessThan(atThisSpeed(pieceMs));
  expect((await fetch(`${attacked.origin}/healthcheck`)).status).toBe(200);
}

describe("a WebSocket of a stream holds a bounded number of bytes and pieces of the loop for", () => {
  // Others differ in the length of what is sent.
  const all = Object.entries({ ...webSocketAttacks, ...streamSocketAttacks });
  it.each(someOf(all, ([name]) => !/of one byte|^empty pings|^short|^large/.test(name)))("%s", (_name, attack) =>
    expectBounded(attack),
  );
});

describe("a WebSocket of v4 holds a bounded number of bytes and pieces of the loop for", () => {
  // The sockets are those of streams, with shorter messages: the ordinary run tries what depends on their length.
  const attacks = someOf(Object.entries(webSocketAttacks), ([name]) => /unfinished/.test(name));
  it.each(attacks)("%s", (_name, attack) => expectBounded(attack, "/api/v4/block/watch"));
});
