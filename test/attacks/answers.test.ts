import { once } from "node:events";
import { connect } from "node:net";
import { PassThrough } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LoopWatch } from "../../kit/attacks/LoopWatch.ts";
import { endpointsOver } from "../../src/api/declare/endpoint.ts";
import { defaultAnswerLimits } from "../../src/api/http/answers/AnswerWriter.ts";
import type { ByteText } from "../../src/api/http/answers/byteText.ts";
import { writePieces } from "../../src/api/http/answers/writePieces.ts";
import { v2Api } from "../../src/api/v2/envelope.ts";
import { typedRunResult } from "../../src/api/v2/shapes/stack.ts";
import { stackEntries } from "../../src/api/v3/args/legacyStack.ts";
import { v3Api } from "../../src/api/v3/envelope.ts";
import { stackItems } from "../../src/api/v4/shapes/stack.ts";
import { runWithWideNumbers } from "../../src/chain/run/wideNumbers.ts";
import { field, int, list, shape } from "../../src/lib/kit/shape.ts";
import type { VmStack } from "../../src/model/vm/VmStack.ts";
import { openApiServer, type TestServer } from "../kit/api/apiServer.ts";
import { atThisSpeed } from "../kit/attacks/atThisSpeed.ts";
import { nestedTuples, repeatedBag } from "../kit/attacks/sharedStacks.ts";
import { makeCellTree } from "../kit/cell/cellTrees.ts";

/* One answer may not take the memory or the thread of a process, however little the request for it costs. */

interface Stage {
  readonly stack: VmStack;
  readonly rows: readonly number[];
}

let stage: Stage = { stack: [], rows: [] };
let encodedRows = 0;

const endpoint = endpointsOver<undefined>();
const common = { tag: "attack", summary: "", args: {} } as const;
const row = field({
  schema: int.schema,
  encode: (value: number) => {
    encodedRows++;
    return { value, text: "x".repeat(1000) };
  },
});
const attacked = {
  ...v2Api,
  endpoints: [
    endpoint({
      ...{ ...common, name: "std", result: typedRunResult },
      run: () => ({ exitCode: 0, gasUsed: 1n, stack: stage.stack }),
    }),
    endpoint({ ...common, name: "v4", result: stackItems, run: () => stage.stack }),
    endpoint({
      ...{ ...common, name: "rows", result: shape<Stage>()({ rows: list(row)("Rows.", (it) => it.rows) }) },
      run: () => stage,
    }),
  ],
};

const attackedV3 = {
  ...v3Api,
  endpoints: [endpoint({ ...common, name: "v3", result: stackEntries, run: () => stage.stack })],
};

let server: TestServer;
let v3Server: TestServer;
const watch = new LoopWatch();

beforeAll(async () => {
  server = await openApiServer(attacked, undefined, { answers: defaultAnswerLimits });
  v3Server = await openApiServer(attackedV3, undefined, { answers: defaultAnswerLimits });
});

afterEach(() => {
  stage = { stack: [], rows: [] };
});

afterAll(async () => {
  watch.stop();
  await server.destroy();
  await v3Server.destroy();
});

const plain = { headers: { "accept-encoding": "identity" } };
const ask = (name: string) =>
  fetch(name === "v3" ? `${v3Server.origin}/api/v3/v3` : `${server.origin}/api/v2/${name}`, plain);
const forms = ["std", "v3", "v4"] as const;

/**
 * The worst piece of an attack. The first one also compiles the code, and a collection of garbage falls into a piece of
 * some: the best of several is what the work itself takes.
 */
async function worstPieceMs(attack: () => Promise<unknown>): Promise<number> {
  const worst: number[] = [];
  for (let run = 0; run < 4; run++) {
    watch.takeWorstMs();
    await attack();
    worst.push(watch.takeWorstMs());
  }
  return Math.min(...worst);
}

describe("the stack of a get-method", () => {
  it.each(forms)("counts every place of a tuple in the form of %s", async (form) => {
    stage = { ...stage, stack: [nestedTuples(4)] };
    const worstMs = await worstPieceMs(async () => {
      const answer = await ask(form);
      expect({ status: answer.status, text: await answer.text() }).toEqual({
        status: 500,
        text: expect.stringContaining("TVM stack size exceeds limit"),
      });
    });
    expect(worstMs).toBeLessThan(atThisSpeed(50));
  });

  it.each(forms)("counts the bytes of a bag in every place in the form of %s", async (form) => {
    stage = { ...stage, stack: [repeatedBag()] };
    const worstMs = await worstPieceMs(async () => {
      const answer = await ask(form);
      expect({ status: answer.status, text: await answer.text() }).toEqual({
        status: 413,
        text: expect.stringContaining("more than 8388608 bytes"),
      });
    });
    expect(worstMs).toBeLessThan(atThisSpeed(50));
  });

  it("is walked once for each tuple when numbers are wider than those of the machine", async () => {
    const wide = { kind: "int", value: 1n << 260n } as const;
    const shared = nestedTuples(5);
    const outcome = await runWithWideNumbers([wide], async (stack) => ({ stack: [...stack, shared] }));
    expect(outcome.stack[0]).toEqual(wide);
  });

  it("is answered up to its limit, each bag encoded once", async () => {
    stage = { ...stage, stack: [repeatedBag(makeCellTree(3, 1))] };
    const answer = await ask("std");
    expect(answer.status).toBe(200);
    expect((await answer.text()).length).toBeGreaterThan(500_000);
  });
});

describe("a batch", () => {
  it("has one budget for all its answers", async () => {
    stage = { ...stage, rows: Array.from({ length: 2000 }, (_, at) => at) };
    const batch = Array.from({ length: 100 }, (_, id) => ({ jsonrpc: "2.0", id, method: "rows", params: {} }));
    const answer = await fetch(`${server.origin}/api/v2/jsonRPC`, {
      method: "POST",
      body: JSON.stringify(batch),
      ...plain,
    });
    const text = await answer.text();
    expect(text.length).toBeLessThan(defaultAnswerLimits.maxAnswerBytes + 100_000);
    const parts: readonly { readonly ok: boolean; readonly code?: number }[] = JSON.parse(text);
    expect(parts).toHaveLength(100);
    const refused = parts.filter(({ ok }) => !ok);
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set([413]));
  });
});

describe("a long list", () => {
  it("is written in pieces and refused beyond the limit of an answer", async () => {
    stage = { ...stage, rows: Array.from({ length: 70_000 }, (_, at) => at) };
    const worstMs = await worstPieceMs(async () => {
      const answer = await ask("rows");
      expect({ status: answer.status, text: await answer.text() }).toEqual({
        status: 413,
        text: expect.stringContaining("ask for less at once"),
      });
    });
    expect(worstMs).toBeLessThan(atThisSpeed(50));
  });

  it("reads like one that is written at once", async () => {
    stage = { ...stage, rows: Array.from({ length: 500 }, (_, at) => at) };
    const { result } = Object(await (await ask("rows")).json());
    expect(result).toEqual({ rows: stage.rows.map((value) => ({ value, text: "x".repeat(1000) })) });
  });

  it("is not written further for a client that left", async () => {
    stage = { ...stage, rows: Array.from({ length: 60_000 }, (_, at) => at) };
    encodedRows = 0;
    const client = connect(Number(new URL(server.origin).port), "127.0.0.1");
    await once(client, "connect");
    client.write("GET /api/v2/rows HTTP/1.1\r\nHost: x\r\n\r\n");
    await expect.poll(() => encodedRows, { interval: 1 }).toBeGreaterThan(0);
    client.destroy();
    let before = -1;
    await expect
      .poll(
        () => {
          const isSame = before === encodedRows;
          before = encodedRows;
          return isSame;
        },
        { interval: 50 },
      )
      .toBe(true);
    expect(encodedRows).toBeLessThan(60_000);
  });
});

describe("an answer that nobody reads", () => {
  it("is not buffered for the connection", async () => {
    let pulled = 0;
    const pieces = function* () {
      for (; pulled < 1000; pulled++) yield "x".repeat(1 << 16) as ByteText;
    };
    const deaf = new PassThrough();
    // Of a response, only what a stream has is used.
    const sending = writePieces(deaf as unknown as Parameters<typeof writePieces>[0], pieces());
    await new Promise((resolve) => setImmediate(resolve));
    expect(pulled * (1 << 16)).toBeLessThanOrEqual(1 << 20);
    deaf.destroy();
    await sending;
    expect(pulled).toBeLessThan(1000);
  });
});
