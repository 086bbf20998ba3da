import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { compileApp } from "../../../kit/suite/compiledApp.ts";
import { openVerifier } from "../../../src/api/client/verify/openVerifier.ts";
import type { ReceivedAnswer } from "../../../src/api/client/verify/Verifier.ts";
import { audit } from "../../../src/app/commands/audit.ts";
import { type StartedService, startService } from "../../kit/app/startedService.ts";
import { recordTerminal } from "../../kit/suite/recordTerminal.ts";

type Json = Readonly<Record<string, unknown>>;

interface Asked {
  readonly operation: string;
  readonly query: URLSearchParams;
  /** Whether it is of v3. */
  readonly isOfIndex: boolean;
}

/** What a service makes of a true answer. */
type Change = (body: Json, asked: Asked) => unknown;

const folder = mkdtempSync(join(tmpdir(), "tongate-audit-"));
let service: StartedService;
const proxies: Server[] = [];

beforeAll(async () => {
  service = await startService({ folder, engine: "postgres" });
});

afterEach(() => {
  for (const proxy of proxies.splice(0)) proxy.close();
});

afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A service in front of the true one. */
async function serveChanged(change: Change, { refuseFirst = false } = {}): Promise<string> {
  let isFirst = refuseFirst;
  const proxy = createServer(async (request, response) => {
    if (isFirst) {
      isFirst = false;
      response.writeHead(429, { "Retry-After": "1" }).end("{}");
      return;
    }
    const url = new URL(request.url ?? "", service.origin);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = parts.length === 0 ? {} : { body: Buffer.concat(parts).toString() };
    const init = { method: request.method ?? "GET", headers: { "Content-Type": "application/json" }, ...body };
    const operation = url.pathname.split("/").at(-1) ?? "";
    const query = url.searchParams;
    const isOfIndex = url.pathname.includes("/v3/");
    if (ignoresBlocks.has(proxy)) query.delete("seqno");
    const answer = await fetch(url, init);
    response.writeHead(answer.status, { "Content-Type": "application/json" });
    response.end(JSON.stringify(change(Object(await answer.json()), { operation, query, isOfIndex })));
  });
  proxies.push(proxy);
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

const ignoresBlocks = new WeakSet<Server>();

interface Report {
  readonly url: string;
  readonly operations: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly differences: readonly {
    readonly operation: string;
    readonly args: Record<string, never>;
    readonly disagreements: readonly { readonly path: string; readonly proved: unknown; readonly answered: unknown }[];
    readonly proved: unknown;
    readonly answered: unknown;
    readonly proof: unknown;
  }[];
  readonly reasons: Readonly<Record<string, number>>;
}

/** Runs the command; its report, and the code of its error. */
async function audited(url: string, ...words: readonly string[]): Promise<{ report: Report; code: string }> {
  const terminal = recordTerminal();
  const flags = ["--data", folder, "--rate", "1000", "--json", "--log-level", "error"];
  const code = await audit.run(terminal, [url, ...words, ...flags]).then(
    () => "",
    (error: unknown) => String(Object(error).code),
  );
  const written = terminal.written();
  return { report: written === "" ? nothing : JSON.parse(written), code };
}

const nothing: Report = { url: "", operations: {}, differences: [], reasons: {} };

function sum(report: Report, kind: string): number {
  return Object.values(report.operations).reduce((total, counts) => total + (counts[kind] ?? 0), 0);
}

/** The result of an operation, changed. */
function lieAbout(operation: string, change: (result: never, asked: Asked) => unknown): Change {
  return (body, asked) =>
    asked.operation === operation && body.ok === true ? { ...body, result: change(body.result as never, asked) } : body;
}

describe("an audit of a service", () => {
  it("finds no difference in true answers, in whatever form they are written", async () => {
    const honest = await audited(await serveChanged((body) => body));
    expect(honest.code).toBe("");
    expect(honest.report.differences).toEqual([]);
    expect(sum(honest.report, "refused")).toBe(0);
    const compared = Object.entries(honest.report.operations).filter(([, { equal = 0 }]) => equal > 0);
    const everyBlockHas = [
      ...["getBlockHeader", "getBlockTransactions", "getBlockTransactionsExt", "lookupBlock", "shards"],
      ...["getMasterchainBlockSignatures", "getConfigParam", "getAddressInformation", "getExtendedAddressInformation"],
      ...["getWalletInformation", "getAddressBalance", "getAddressState", "runGetMethod", "getTransactions"],
    ];
    expect(compared.map(([operation]) => operation)).toEqual(expect.arrayContaining(everyBlockHas));
    const ofIndex = ["blocks", "transactions", "traces", "accountStates", "walletStates"].map((name) => `v3/${name}`);
    expect(compared.map(([operation]) => operation)).toEqual(expect.arrayContaining(ofIndex));
    const other = lieAbout("getAddressBalance", (result) => Number(result));
    expect((await audited(await serveChanged(other), "--operations", "getAddressBalance")).code).toBe("");
  });

  /** By operation: what a lying service makes of a result, and the path of what is then different. */
  const lies: Readonly<Record<string, readonly [change: (result: never) => unknown, path: RegExp]>> = {
    getAddressBalance: [(result) => String(BigInt(result) + 1n), /^$/],
    getAddressState: [() => "frozen", /^$/],
    getAddressInformation: [(result: Json) => ({ ...result, balance: "1" }), /^balance$/],
    getExtendedAddressInformation: [(result: Json) => ({ ...result, revision: 77 }), /^revision$/],
    getWalletInformation: [(result: Json) => ({ ...result, account_state: "frozen" }), /^account_state$/],
    lookupBlock: [(result: Json) => ({ ...result, root_hash: zeroHash }), /^root_hash$/],
    shards: [(result: { shards: readonly unknown[] }) => ({ ...result, shards: [] }), /^shards$/],
    getConfigParam: [() => ({ config: { bytes: emptyBag } }), /^config\.bytes$/],
    runGetMethod: [(result: Json) => ({ ...result, exit_code: 77 }), /^exit_code$/],
    // History by leaving out, and by another order.
    getTransactions: [(result: readonly unknown[]) => result.slice(1), /^$/],
    getBlockTransactionsExt: [
      (result: { transactions: readonly unknown[] }) => ({ ...result, transactions: result.transactions.toReversed() }),
      /^transactions\./,
    ],
  };

  it("finds each kind of answer that is not what the chain says", async () => {
    const lie: Change = (body, { operation }) => {
      const change = lies[operation]?.[0];
      return change === undefined || body.ok !== true ? body : { ...body, result: change(body.result as never) };
    };
    const { report, code } = await audited(await serveChanged(lie));
    expect(code).toBe("app/problems");
    expect(sum(report, "otherBlock")).toBe(0);
    expect(report.differences).toHaveLength(sum(report, "different"));
    const found = new Set(report.differences.map(({ operation }) => operation));
    expect(found).toEqual(new Set(Object.keys(lies)));
    const paths = report.differences.flatMap(({ operation, disagreements }) =>
      disagreements.map(({ path }) => [operation, path] as const),
    );
    expect(paths.filter(([operation, path]) => lies[operation]?.[1].test(path) !== true)).toEqual([]);
  });

  it("finds rows of the index that are not what the chain says, and that are not there", async () => {
    const changes: Readonly<Record<string, (body: Json) => unknown>> = {
      transactions: (body) => ({
        ...body,
        transactions: rowsOf(body, "transactions").map((row) => ({ ...row, total_fees: "1" })),
      }),
      traces: (body) => ({
        ...body,
        traces: rowsOf(body, "traces").map((row) => ({ ...row, transactions: moved(row.transactions) })),
      }),
      accountStates: (body) => ({
        ...body,
        accounts: rowsOf(body, "accounts").map((row) => ({ ...row, balance: "1" })),
      }),
      blocks: (body) => ({ ...body, blocks: rowsOf(body, "blocks").map((row) => ({ ...row, root_hash: zeroHash })) }),
    };
    const rowsOf = (body: Json, name: string) => (body[name] ?? []) as readonly Json[];
    const moved = (transactions: unknown) =>
      Object.fromEntries(
        Object.entries(Object(transactions)).map(([hash, row]) => [hash, { ...Object(row), lt: "1" }]),
      );
    const names = Object.keys(changes).map((name) => `v3/${name}`);
    const url = await serveChanged((body, { operation }) => changes[operation]?.(body) ?? body);
    const { report, code } = await audited(url, "--operations", names.join(","));
    expect(code).toBe("app/problems");
    expect(new Set(report.differences.map(({ operation }) => operation))).toEqual(new Set(names));
    expect(sum(report, "equal")).toBe(0);
    const [states] = report.differences.filter(({ operation }) => operation === "v3/accountStates");
    expect(states?.disagreements).toEqual([expect.objectContaining({ path: "accounts.0.balance", answered: "1" })]);
    expect(Object(states?.proof).form).toBe(1);
  });

  it("compares v2 alone where there is no index", async () => {
    const url = await serveChanged((body, { isOfIndex }) => (isOfIndex ? "nothing" : body));
    const { report, code } = await audited(url);
    expect([code, sum(report, "different")]).toEqual(["", 0]);
    expect(Object.keys(report.operations).filter((name) => name.startsWith("v3/"))).toEqual([]);
  });

  it("keeps with each difference the answers that prove it", async () => {
    const out = join(folder, "audit.json");
    const lie = lieAbout("getAddressInformation", (result: Json) => ({ ...result, balance: "1" }));
    await audited(await serveChanged(lie), "--operations", "getAddressInformation", "--out", out);
    const { differences }: Report = JSON.parse(readFileSync(out, "utf8"));
    const trust = JSON.parse(readFileSync(join(folder, "localnet", "global.config.json"), "utf8"));
    // Each knows the init block alone, from which kept proofs begin.
    const check = (operation: string, args: Record<string, never>, answer: ReceivedAnswer) =>
      openVerifier({ trust, maxAge: 3_600 }).ask(operation, args, async () => answer);
    for (const { operation, args, proved, answered, proof } of differences) {
      expect(await check(operation, args, { result: proved, proof })).toEqual(proved);
      await expect(check(operation, args, { result: answered, proof })).rejects.toMatchObject({
        code: "verify/changed",
      });
    }
    expect(differences.length).toBeGreaterThan(0);
  });

  it("does not call an answer for another block a lie", async () => {
    const url = await serveChanged((body) => body);
    for (const proxy of proxies) ignoresBlocks.add(proxy);
    const { report, code } = await audited(url, "--operations", "getAddressInformation,getAddressBalance");
    expect(code).toBe("");
    expect(sum(report, "different")).toBe(0);
    expect(sum(report, "otherBlock")).toBeGreaterThan(0);
  });

  it("waits when the service says that it asks too fast", async () => {
    const url = await serveChanged((body) => body, { refuseFirst: true });
    const { report, code } = await audited(url, "--operations", "shards");
    expect([code, sum(report, "equal"), sum(report, "refused")]).toEqual(["", 1, 0]);
  });

  it("exits with 0 where all is true, with 1 on a lie and with 2 when nothing could be compared", async () => {
    const { cli } = await compileApp();
    const exitOf = async (url: string) => {
      const words = ["audit", url, "--operations", "getAddressBalance", "--data", folder, "--rate", "1000"];
      const child = spawn(process.execPath, [cli, ...words], { stdio: "ignore" });
      const [status] = await once(child, "exit");
      return status;
    };
    const lie = lieAbout("getAddressBalance", () => "1");
    const urls = [await serveChanged((body) => body), await serveChanged(lie), "http://127.0.0.1:1"];
    expect(await Promise.all(urls.map(exitOf))).toEqual([0, 1, 2]);
  });

  it("says so when nothing can be compared", async () => {
    const refuse: Change = (body, { operation }) =>
      operation === "getMasterchainInfo" ? body : { ok: false, error: "no", code: 500 };
    const refused = await audited(await serveChanged(refuse), "--operations", "shards,lookupBlock");
    expect(refused.code).toBe("app/unproved");
    expect(sum(refused.report, "equal")).toBe(0);
    expect(refused.report.reasons).toHaveProperty("shards refused: 200: no", 1);
    expect((await audited("http://127.0.0.1:1")).code).toBe("app/unproved");
    expect((await audited("127.0.0.1")).code).toBe("app/usage");
    const url = await serveChanged((body) => body);
    expect((await audited(url, "--operations", "sendBoc")).code).toBe("app/usage");
    const otherNetwork = lieAbout("getMasterchainInfo", (result: Json) => ({
      ...result,
      init: { ...Object(result.init), root_hash: zeroHash },
    }));
    expect((await audited(await serveChanged(otherNetwork))).code).toBe("app/usage");
  });
});

const zeroHash = Buffer.alloc(32).toString("base64");
const emptyBag = "te6ccgEBAQEAAgAAAA==";
