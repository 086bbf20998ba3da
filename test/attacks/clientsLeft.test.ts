import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { endpointsOver } from "../../src/api/declare/endpoint.ts";
import type { RequestContext } from "../../src/api/declare/RequestContext.ts";
import { v2Api } from "../../src/api/v2/envelope.ts";
import { Turns } from "../../src/history/store/engine/Turns.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { int } from "../../src/lib/kit/shape.ts";
import { openExecutor } from "../../src/tvm/run/openExecutor.ts";
import { openApiServer } from "../kit/api/apiServer.ts";
import { flushPromises } from "../kit/suite/ManualClock.ts";
import { drop, makeCode, makeGetMethodRun } from "../kit/tvm/tvmValues.ts";

/* What a client that left had asked for ends, whatever it was. */

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const endpoint = endpointsOver<(context: RequestContext) => Promise<unknown>>();
const common = { tag: "attack", summary: "", args: {} } as const;
const attacked = {
  ...v2Api,
  endpoints: [
    endpoint({
      ...{ ...common, name: "work", result: int },
      run: async (work, _args, context) => {
        await work(context);
        return 1;
      },
    }),
  ],
};

const clients = 20;

/** Requests the work by many clients, which leave when it has begun; then it must stop, by its count. */
async function expectEnd(work: (context: RequestContext) => Promise<unknown>, count: () => number): Promise<void> {
  let underWay = 0;
  const server = await openApiServer(attacked, async (context) => {
    underWay += 1;
    await work(context).finally(() => {
      underWay -= 1;
    });
  });
  closers.push(() => server.destroy());
  const sockets = Array.from({ length: clients }, () => connect(server.port, "127.0.0.1"));
  for (const socket of sockets) socket.write("GET /api/v2/work HTTP/1.1\r\nHost: a\r\n\r\n");
  await expect.poll(() => underWay, { interval: 1 }).toBe(clients);
  const begun = count();
  await expect.poll(count, { interval: 1 }).toBeGreaterThan(begun);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => underWay, { interval: 1 }).toBe(0);
  const ended = count();
  for (let round = 0; round < 50; round++) await flushPromises();
  expect(count()).toBe(ended);
}

describe("for clients that left", () => {
  it("no get-method runs on", async () => {
    let slices = 0;
    const monotonic = () => {
      slices += 1;
      return systemClock.monotonic();
    };
    const executor = await openExecutor({}, { clock: { ...systemClock, monotonic } });
    closers.push(() => executor.close());
    // Each slice of a run asks for the time.
    const endless = makeGetMethodRun(makeCode(`${drop}90ea`), { gasLimit: 1n << 50n });
    await expectEnd(
      ({ signal, id }) => executor.runGetMethod({ ...endless, caller: id }, signal),
      () => slices,
    );
  });

  it("no further statement of a reader begins", async () => {
    let statements = 0;
    const turns = new Turns(systemClock, async () => {});
    const statement = async () => {
      statements += 1;
      await flushPromises();
    };
    await expectEnd(
      ({ signal }) =>
        turns.read(
          async (inTurn) => {
            for (;;) await inTurn(statement);
          },
          { signal },
        ),
      () => statements,
    );
  });
});
