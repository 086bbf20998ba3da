import { describe, expect, it } from "vitest";
import { Refresher } from "../../../web/api/Refresher.ts";
import { deferred } from "../../kit/suite/deferred.ts";

/** A refresher whose values are finished by the test. */
function openRefresher() {
  const made: { readonly signal: AbortSignal; finish(): void }[] = [];
  const refresher = new Refresher((signal) => {
    const { promise, resolve } = deferred();
    made.push({ signal, finish: resolve });
    return promise;
  });
  const finish = async (at: number): Promise<void> => {
    made[at]?.finish();
    await new Promise(setImmediate);
  };
  return { refresher, made, finish };
}

describe("a refresher", () => {
  it("finishes what is being made, and makes one more value for all that was asked meanwhile", async () => {
    const { refresher, made, finish } = openRefresher();
    for (let at = 0; at < 5; at++) refresher.refresh();
    expect(made.length).toBe(1);
    expect(made[0]?.signal.aborted).toBe(false);
    await finish(0);
    expect(made.length).toBe(2);
    await finish(1);
    expect(made.length).toBe(2);
  });

  it("makes a value again when it is asked later", async () => {
    const { refresher, made, finish } = openRefresher();
    refresher.refresh();
    await finish(0);
    refresher.refresh();
    expect(made.length).toBe(2);
  });

  it("ends what is being made when it is closed, and makes nothing more", async () => {
    const { refresher, made, finish } = openRefresher();
    refresher.refresh();
    refresher.refresh();
    refresher.close();
    expect(made[0]?.signal.aborted).toBe(true);
    await finish(0);
    refresher.refresh();
    expect(made.length).toBe(1);
  });
});
