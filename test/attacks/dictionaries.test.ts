import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AttackedProcess } from "../../kit/attacks/attackedProcess.ts";
import { sharedCellsAttacks } from "../../kit/attacks/sharedCells.ts";
import { atThisSpeed } from "../kit/attacks/atThisSpeed.ts";
import { openAttacked } from "../kit/attacks/openAttacked.ts";

const heldBytes = 150_000_000;
const pieceMs = 50;

let attacked: AttackedProcess;
beforeAll(async () => {
  attacked = await openAttacked();
});
afterAll(() => attacked.stop());

describe("a walk over cells that are shared ends soon for", () => {
  it.each(Object.entries(sharedCellsAttacks))("%s", async (_name, attack) => {
    // The first call of anything also compiles and loads it.
    await attack(attacked.origin);
    const idle = await attacked.measure();
    const answer = await attack(attacked.origin);
    const { worstPieceMs, highestBytes } = await attacked.measure();
    expect(answer).not.toMatch(/internal error|took too long/);
    expect(worstPieceMs).toBeLessThan(atThisSpeed(pieceMs));
    expect(highestBytes - idle.residentBytes).toBeLessThan(heldBytes);
  });
});
