import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccessControl } from "../../../src/api/access/Gatekeeper.ts";
import { createV3Client } from "../../../src/api/client/v3Client.ts";
import { ApiError } from "../../../src/api/declare/errors.ts";
import { v3Api } from "../../../src/api/v3/envelope.ts";
import { v3Endpoints } from "../../../src/api/v3/list.ts";
import { HistoryError } from "../../../src/history/errors.ts";
import { contractHistory, History } from "../../../src/history/queries/kit/History.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { formatAddress } from "../../../src/model/Address.ts";
import { openApiServer } from "../../kit/api/apiServer.ts";
import { b64, knownWallet, openV3Stage, raw, tokens, type V3Stage } from "../../kit/api/v3/v3Stage.ts";

let stage: V3Stage;

beforeAll(async () => {
  stage = await openV3Stage("postgres", { isTestnet: true, defaultLimit: 3, maxLimit: 5 });
});

afterAll(() => stage.close());

const ask = (path: string, init: RequestInit = {}) => fetch(`${stage.server.origin}/api/v3${path}`, init);

describe("the interface", () => {
  it("has its page and its document at the usual paths", async () => {
    const page = await ask("/index.html");
    expect([page.status, page.headers.get("content-type"), await page.text()]).toEqual([
      200,
      expect.stringMatching(/^text\/html/),
      expect.stringContaining("Tongate API v3"),
    ]);
    const [one, other] = await Promise.all([ask("/doc.json"), ask("/openapi.json")]);
    const document = (await one.json()) as { paths: Record<string, unknown>; components: { schemas: object } };
    expect(await other.json()).toEqual(document);
    expect(Object.keys(document.paths)).toEqual(v3Endpoints.map(({ name }) => `/${name}`));
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(["Block", "Transaction", "Message", "AddressBookRow", "TokenInfo", "RequestError"]),
    );
  });

  it.each([
    ["GET", "/nothing", 404, "Not Found"],
    ["GET", "/jetton/nothing", 404, "Not Found"],
    ["POST", "/jsonRPC", 404, "Not Found"],
    ["POST", "/blocks", 405, "method POST is not supported"],
  ])("refuses %s %s", async (method, path, code, error) => {
    const response = await ask(path, { method });
    expect([response.status, await response.json()]).toEqual([code, { code, error }]);
  });

  it("accepts any header from pages of other origins", async () => {
    const response = await ask("/blocks", { method: "OPTIONS" });
    expect([
      response.status,
      response.headers.get("access-control-allow-origin"),
      response.headers.get("access-control-allow-headers"),
      response.headers.get("access-control-allow-methods"),
    ]).toEqual([204, "*", "*", "GET, POST, OPTIONS"]);
  });

  it("has the cursor of the next page", async () => {
    const seen: unknown[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const response = await ask(`/messages?limit=5&sort=asc&cursor=${cursor}`);
      const { messages } = (await response.json()) as { messages: { hash: string }[] };
      seen.push(...messages.map(({ hash }) => hash));
      cursor = response.headers.get("x-next-cursor");
    }
    expect(seen.toSorted()).toEqual(stage.rows.messages.map(({ hash }) => b64(hash)).toSorted());
  });

  it("rejects bodies that are not JSON", async () => {
    const response = await ask("/decode", { method: "POST", body: "{" });
    expect([response.status, await response.json()]).toEqual([422, { code: 422, error: expect.any(String) }]);
  });

  it("takes default and largest limits, and the kind of network, from its options", async () => {
    const list = (await (await ask("/blocks")).json()) as { blocks: unknown[] };
    expect(list.blocks).toHaveLength(3);
    expect(await (await ask("/blocks?limit=6")).json()).toEqual({ code: 422, error: "limit is not allowed: 6 > 5" });
    const book = (await (await ask(`/addressBook?address=${knownWallet}`)).json()) as Record<string, object>;
    expect(book[knownWallet]).toMatchObject({
      user_friendly: formatAddress(knownWallet, { bounceable: false, testOnly: true }, "base64url"),
    });
  });

  it("requests documents of tokens that were not fetched", async () => {
    await ask(`/metadata?address=${tokens.collection}&address=${tokens.item}&address=${tokens.wallet}`);
    expect(stage.wanted).toEqual([{ address: tokens.collection, type: "nft_collections" }]);
  });

  it("reports unknown parameters in a header, each time", async () => {
    for (const _ of [1, 2]) {
      const response = await ask("/blocks?limit=1&acount=x&LIMIT=2&b%20c=1&api_key=");
      expect([response.status, response.headers.get("x-tongate-unknown-parameters")]).toEqual([200, "acount, b?c"]);
      expect(response.headers.get("access-control-expose-headers")).toContain("X-Tongate-Unknown-Parameters");
    }
    expect((await ask("/blocks?limit=1")).headers.has("x-tongate-unknown-parameters")).toBe(false);
  });

  it("rejects unknown parameters in strict mode", async () => {
    const server = await openApiServer(
      v3Api,
      { history: new History(contractHistory, { database: stage.database }) },
      { strictParameters: true },
    );
    const response = await fetch(`${server.origin}/api/v3/blocks?acount=x`);
    const answer = [response.status, await response.json()];
    await server.close();
    expect(answer).toEqual([422, { code: 422, error: "unknown parameter: acount" }]);
  });

  it("answers requests with the same text and other headers separately", async () => {
    const path = `/accountStates?address=${knownWallet}&include_boc=0`;
    const bare = (await (await ask(path, { headers: { "X-No-Address-Book": "1" } })).json()) as object;
    const full = (await (await ask(path)).json()) as object;
    expect([bare, full]).toEqual([
      { ...full, address_book: {} },
      expect.objectContaining({ address_book: { [raw(knownWallet)]: expect.anything() } }),
    ]);
  });
});

describe("errors", () => {
  /** A server whose index does this on every read. */
  async function answerOver(read: Database["read"], access?: AccessControl): Promise<unknown> {
    const history = new History(contractHistory, { database: { read } });
    const server = await openApiServer(v3Api, { history }, access === undefined ? {} : { access });
    const response = await fetch(`${server.origin}/api/v3/masterchainInfo`);
    const answer = [response.status, await response.json()];
    await server.close();
    return answer;
  }

  const failWith = (error: Error) => () => Promise.reject(error);
  const nothing = async () => undefined;
  const empty: Database["read"] = (work) =>
    work({ query: async () => [], run: nothing, copy: nothing, copyBinary: nothing });

  it.each([
    [new HistoryError("history/timeout", "secret"), 503, "the query took too long; try again, or ask for less at once"],
    [new HistoryError("history/database", "secret"), 503, "the index cannot be reached"],
    [new HistoryError("history/sql", "secret"), 500, "internal server error: unexpected"],
    [new Error("secret"), 500, "internal server error: unexpected"],
  ])("in the index is answered: %s", async (error, code, text) => {
    expect(await answerOver(failWith(error))).toEqual([code, { code, error: text }]);
  });

  it("are reported when nothing is indexed", async () => {
    const error = "internal server error: no masterchain block is indexed yet";
    expect(await answerOver(empty)).toEqual([500, { code: 500, error }]);
  });

  it.each([
    [new ApiError("api/key", "no"), 401, "API key does not exist"],
    [new ApiError("api/network", "no", { data: { network: "a", allowed: [] } }), 403, "Network not allowed"],
    [
      new ApiError("api/limit", "no", { data: { retryMs: 1, resetMs: 1, perSecond: 1, burst: 1, remaining: 0 } }),
      429,
      "Ratelimit exceeded",
    ],
  ] as const)("answers a rejected caller: %s", async (refusal, status, error) => {
    const refuse = () => {
      throw refusal;
    };
    const access: AccessControl = { admit: refuse, charge: refuse, addWeight: () => {} };
    expect(await answerOver(empty, access)).toEqual([status, { code: status, error }]);
  });
});

describe("the client", () => {
  it("returns results typed by the declarations, and errors as exceptions", async () => {
    const client = createV3Client(`${stage.server.origin}/api/v3/`);
    const { blocks } = await client.blocks({ workchain: -1, limit: 2, sort: "asc" });
    expect(blocks.map(({ seqno }) => seqno)).toEqual([1, 2]);
    const { opcodes } = await client.decode({ opcodes: ["0x0f8a7ea5"] });
    expect(opcodes).toEqual(["jetton_transfer"]);
    const { accounts } = await client.accountStates({ address: [knownWallet], include_boc: false });
    expect(accounts.map(({ address }) => address)).toEqual([raw(knownWallet)]);
    await expect(client.blocks({ limit: 99 })).rejects.toMatchObject({
      code: "api/refused",
      data: { status: 422, error: "limit is not allowed: 99 > 5" },
    } satisfies Partial<ApiError>);
  });
});
