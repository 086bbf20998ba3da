import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { publicOnly } from "../../../src/history/metadata/AddressPolicy.ts";
import { parseDocumentLink } from "../../../src/history/metadata/documentUrl.ts";
import { type DocumentModules, documentLimits, fetchDocument } from "../../../src/history/metadata/fetchDocument.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { type Answering, type DocumentServer, openDocumentServer } from "../../kit/history/documentServer.ts";
import { deferred } from "../../kit/suite/deferred.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

const never = new AbortController().signal;
let server: DocumentServer;
let answer: Answering;
beforeAll(async () => {
  server = await openDocumentServer((request, response) => answer(request, response));
});
afterAll(() => server.close());

const here: DocumentModules = { clock: systemClock, allows: () => true, resolve: async () => ["127.0.0.1"] };

function get(path: string, modules: Partial<DocumentModules> = {}, limits = {}, signal = never) {
  const location = parseDocumentLink(`http://tokens.example:${server.port}${path}`, "https://gate.example/ipfs");
  return fetchDocument(location, { ...documentLimits, ...limits }, { ...here, ...modules }, signal);
}

function gives(body: string | Uint8Array, status = 200, headers: Record<string, string> = {}): Answering {
  return (_, response) => void response.writeHead(status, headers).end(body);
}

const refusal = (message: string | RegExp) => ({
  code: "history/document",
  message: typeof message === "string" ? message : expect.stringMatching(message),
});

describe("a document", () => {
  it("is a JSON object, with every digit of its numbers", async () => {
    answer = gives('\ufeff{"name":"Item","big":12345678901234567890}');
    expect(await get("/item")).toEqual({ name: "Item", big: 12345678901234567890n });
    expect(server.asked.at(-1)).toBe("/item");
  });

  it.each([
    ["a list", "[]", "not a JSON object"],
    ["nothing", "null", "not a JSON object"],
    ["a text", '"x"', "not a JSON object"],
    ["of endless numbers", '{"a":[{"b":1e999}]}', "a number that is too large"],
    ["a page", "<html></html>", /^tokens\.example:\d+: /],
    ["deep", "[".repeat(5000), /^tokens\.example:\d+: /],
    ["not of characters", new Uint8Array([0x7b, 0xff, 0x7d]), /^tokens\.example:\d+: /],
  ])("is not %s", async (_, body, message) => {
    answer = gives(body);
    await expect(get("/")).rejects.toMatchObject(refusal(message));
  });

  it.each([204, 304, 400, 404, 429, 500, 503])("is not returned for status %d", async (status) => {
    answer = gives(status === 204 ? "" : "{}", status);
    const expected = status === 204 ? /tokens/ : `status ${status}`;
    await expect(get("/")).rejects.toMatchObject(refusal(expected));
  });

  it.each([200, 201, 299])("is accepted with status %d", async (status) => {
    answer = gives("{}", status);
    expect(await get("/")).toEqual({});
  });

  it("is not larger than allowed, with or without a content length", async () => {
    answer = gives(`{"a":"${"x".repeat(93)}"}`);
    expect(await get("/", {}, { maxBytes: 101 })).toEqual({ a: "x".repeat(93) });
    await expect(get("/", {}, { maxBytes: 100 })).rejects.toMatchObject(refusal("more than 100 bytes"));
    answer = (_, response) => {
      const flood = () => {
        while (!response.destroyed && response.write("x".repeat(1000)));
      };
      response.on("drain", flood);
      flood();
    };
    await expect(get("/", {}, { maxBytes: 100_000 })).rejects.toMatchObject(refusal("more than 100000 bytes"));
    expect(documentLimits.maxBytes).toBe(1024 * 1024);
  });

  it.each([7, 10])("of %d MB is rejected by its size before it is parsed", async (megabytes) => {
    const parse = vi.spyOn(JSON, "parse");
    try {
      const body = `{"a":[${"1,".repeat(megabytes * 524_288)}1]}`;
      let sent = 0;
      answer = async (_, response) => {
        for (let at = 0; at < body.length && !response.destroyed; at += 65_536) {
          sent += 65_536;
          if (!response.write(body.slice(at, at + 65_536))) await once(response, "drain").catch(() => {});
        }
        response.end();
      };
      await expect(get("/")).rejects.toMatchObject(refusal("more than 1048576 bytes"));
      answer = gives(body, 200, { "content-length": String(body.length) });
      await expect(get("/")).rejects.toMatchObject(refusal("more than 1048576 bytes"));
      expect(sent).toBeGreaterThan(1_048_576);
      expect(parse).not.toHaveBeenCalled();
    } finally {
      parse.mockRestore();
    }
  });

  it("is rejected if compressed, which may hide its size", async () => {
    answer = gives("{}", 200, { "content-encoding": "gzip" });
    await expect(get("/")).rejects.toMatchObject(refusal("unexpected encoding gzip"));
  });

  it("has a time limit, even if it arrives byte by byte", async () => {
    const clock = new ManualClock();
    const begun = deferred();
    answer = (_, response) => {
      response.writeHead(200).write("{");
      begun.resolve();
    };
    const fetching = get("/", { clock });
    fetching.catch(() => {});
    await begun.promise;
    await clock.advance(documentLimits.maxMs);
    await expect(fetching).rejects.toMatchObject(refusal(/timed out after 20000 ms/));
  });

  it("is aborted with the reason of the caller", async () => {
    const leaving = new AbortController();
    answer = () => leaving.abort();
    await expect(get("/", {}, {}, leaving.signal)).rejects.toMatchObject({ code: "lib/aborted" });
  });

  it("fails when the connection ends", async () => {
    answer = (_, response) => void response.destroy();
    await expect(get("/")).rejects.toMatchObject(refusal(/^tokens\.example:\d+: /));
  });
});

describe("a redirect", () => {
  const to = (location: string, status = 302): Answering => gives("", status, { location });

  it.each([301, 302, 303, 307, 308])("of status %d is followed", async (status) => {
    answer = (request, response) =>
      request.url === "/a" ? to("/b", status)(request, response) : gives('{"at":"b"}')(request, response);
    expect(await get("/a")).toEqual({ at: "b" });
  });

  it("is followed up to a limit", async () => {
    answer = (request, response) => {
      const left = Number(request.url?.slice(1));
      return left === 0 ? gives("{}")(request, response) : to(`/${left - 1}`)(request, response);
    };
    expect(await get("/5")).toEqual({});
    await expect(get("/6")).rejects.toMatchObject(refusal("more than 5 redirects"));
  });

  it.each([
    ["file:///etc/passwd", "file: links are not supported"],
    ["ipfs://QmHash", "ipfs: links are not supported"],
    ["http://a:b@example.org", "the URL contains credentials"],
    ["http://[", /which is not a URL$/],
  ])("to %s is rejected", async (location, message) => {
    answer = to(location);
    await expect(get("/")).rejects.toMatchObject(refusal(message));
  });

  it("to a private address is rejected, by name and by number", async () => {
    const resolve = async (name: string) => (name === "inside.example" ? ["10.0.0.1"] : ["127.0.0.1"]);
    const allows: DocumentModules["allows"] = (ip) => publicOnly(ip) || ip.bits === 0x7f000001n;
    for (const [target, address] of [
      ["http://inside.example/", "10.0.0.1"],
      ["http://192.168.1.1/", "192.168.1.1"],
      ["http://0xa9fea9fe/", "169.254.169.254"],
      ["http://[::ffff:10.0.0.1]/", "::ffff:a00:1"],
    ] as const) {
      answer = to(target);
      await expect(get("/", { resolve, allows })).rejects.toMatchObject(
        refusal(
          new RegExp(
            `has the private or reserved address ${address.replaceAll(".", "\\.")}; documents are fetched only from public addresses$`,
          ),
        ),
      );
    }
  });
});

describe("an address", () => {
  it("that is private is never connected to", async () => {
    const before = server.asked.length;
    const places = [
      `http://127.0.0.1:${server.port}`,
      `http://2130706433:${server.port}`,
      `http://127.1:${server.port}`,
    ];
    for (const link of [...places, `http://[::ffff:127.0.0.1]:${server.port}`, `http://localhost:${server.port}`]) {
      const location = parseDocumentLink(link, "https://gate.example/ipfs");
      const fetching = fetchDocument(location, documentLimits, { ...here, allows: publicOnly }, never);
      await expect(fetching).rejects.toMatchObject(refusal(/documents are fetched only from public addresses$/));
    }
    expect(server.asked.length).toBe(before);
  });

  it("that is private blocks all addresses of its name", async () => {
    const modules = { allows: publicOnly, resolve: async () => ["1.1.1.1", "10.0.0.1"] };
    await expect(get("/", modules)).rejects.toMatchObject(
      refusal(
        "tokens.example has the private or reserved address 10.0.0.1; documents are fetched only from public addresses",
      ),
    );
  });

  it("is resolved once: the checked address is the connected one", async () => {
    let looked = 0;
    answer = gives("{}");
    await get("/", {
      resolve: async () => {
        looked++;
        return ["127.0.0.1"];
      },
    });
    expect(looked).toBe(1);
  });

  it("of an unresolvable name gives no document", async () => {
    await expect(get("/", { resolve: async () => [] })).rejects.toMatchObject(refusal("tokens.example has no address"));
    const failing = { resolve: () => Promise.reject(new Error("no such name")) };
    await expect(get("/", failing)).rejects.toMatchObject(refusal(/: no such name$/));
  });

  it("of the operator's own gateway may be private, but not its redirects", async () => {
    const location = parseDocumentLink("ipfs://QmHash/1.json", `http://127.0.0.1:${server.port}/ipfs`);
    const modules = { ...here, allows: publicOnly };
    answer = gives('{"name":"One"}');
    expect(await fetchDocument(location, documentLimits, modules, never)).toEqual({ name: "One" });
    expect(server.asked.at(-1)).toBe("/ipfs/QmHash/1.json");
    answer = gives("", 302, { location: "/elsewhere" });
    await expect(fetchDocument(location, documentLimits, modules, never)).rejects.toMatchObject(
      refusal(
        "127.0.0.1 has the private or reserved address 127.0.0.1; documents are fetched only from public addresses",
      ),
    );
  });
});
