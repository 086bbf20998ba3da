import { describe, expect, it } from "vitest";
import { Lifetime } from "../../src/lib/Lifetime.ts";
import { deferred } from "../kit/suite/deferred.ts";

const over = new Error("over");

function openLifetime(): Lifetime {
  return new Lifetime((reason) => new Error(`refused: ${reason.message}`));
}

describe("a lifetime", () => {
  it("runs work while it is open and refuses it afterwards", async () => {
    const lifetime = openLifetime();
    expect(await lifetime.run(async () => 5)).toBe(5);
    expect(lifetime.isOpen).toBe(true);
    await lifetime.close(over);
    await expect(lifetime.run(async () => 5)).rejects.toThrow("refused: over");
    expect(() => lifetime.throwIfEnded()).toThrow("refused: over");
    expect({ isOpen: lifetime.isOpen, reason: lifetime.reason }).toEqual({ isOpen: false, reason: over });
  });

  it("finishes running work before it is closed, including work that it starts", async () => {
    const lifetime = openLifetime();
    const [first, second] = [deferred(), deferred()];
    const work = lifetime.run(async () => {
      await first.promise;
      return lifetime.finish(() => second.promise);
    });
    let isClosed = false;
    const closing = lifetime.close(over).then(() => {
      isClosed = true;
    });
    first.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect({ isClosed, running: lifetime.running }).toEqual({ isClosed: false, running: 2 });
    second.resolve();
    await work;
    await closing;
    expect({ isClosed, running: lifetime.running }).toEqual({ isClosed: true, running: 0 });
  });

  it("cancels running work when it is destroyed, once, and keeps the first reason", async () => {
    const lifetime = openLifetime();
    const reasons: Error[] = [];
    const stuck = lifetime.run(
      () => new Promise((_, reject) => setImmediate(() => reject(reasons[0]))),
      (reason) => reasons.push(reason),
    );
    const closing = lifetime.close(over);
    const killed = new Error("killed");
    expect(lifetime.destroy(killed)).toBe(true);
    expect(lifetime.destroy(new Error("again"))).toBe(false);
    await expect(stuck).rejects.toBe(killed);
    await closing;
    expect({ reasons, reason: lifetime.reason }).toEqual({ reasons: [killed], reason: over });
  });
});
