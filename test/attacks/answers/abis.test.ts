import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AttackedProcess } from "../../../kit/attacks/attackedProcess.ts";
import { atThisSpeed } from "../../kit/attacks/atThisSpeed.ts";
import { abiAttacks } from "../../kit/attacks/hostileAbis.ts";
import { openAttacked } from "../../kit/attacks/openAttacked.ts";

/*
 * Anybody may send an ABI, and anybody's contract may have data of any form: a request is a bounded work in short
 * pieces.
 */

const heldBytes = 150_000_000;
const pieceMs = 50;

let attacked: AttackedProcess;
beforeAll(async () => {
  attacked = await openAttacked(["--block-ms", "60000"]);
});
afterAll(() => attacked?.stop());

async function ask(path: string, body: object): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { "content-type": "application/json", "accept-encoding": "identity" };
  const response = await fetch(`${attacked.origin}/api/v3/${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

describe("short pieces are enough for", () => {
  it.each(Object.entries(abiAttacks))("%s", async (_name, { path, body, refusal }) => {
    // The first calls of anything also compile and load it.
    await ask(path, body);
    await ask(path, body);
    const idle = await attacked.measure();
    const { status, text } = await ask(path, body);
    const { worstPieceMs, highestBytes } = await attacked.measure();
    expect([status, Object(JSON.parse(text)).error]).toEqual([refusal === undefined ? 200 : 422, refusal]);
    expect(worstPieceMs).toBeLessThan(atThisSpeed(pieceMs));
    expect(highestBytes - idle.residentBytes).toBeLessThan(heldBytes);
  });
});
