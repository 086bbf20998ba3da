import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ByteText } from "../../../../src/api/http/answers/byteText.ts";
import type { DirectAnswer, DirectRequest } from "../../../../src/api/http/direct/DirectAnswer.ts";
import { ServerSockets } from "../../../../src/api/http/sockets/ServerSockets.ts";
import type { Clock } from "../../../../src/lib/clock.ts";
import { quietLog } from "../../../kit/api/apiServer.ts";
import { MemorySocket } from "../../../kit/api/MemorySocket.ts";
import { repeats } from "../../../kit/suite/everything.ts";
import { ManualClock } from "../../../kit/suite/ManualClock.ts";

/** What a request is read as; the answer to every request. */
function echo(facts: Pick<IncomingMessage, "method" | "url" | "headers">, body: string): ByteText {
  const { method, url, headers } = facts;
  return Buffer.from(JSON.stringify({ method, url, headers, body })).toString("latin1") as ByteText;
}

const headersOf = (body: string): string[] => ["X-Content-Length-Of", "echo", "Content-Length", String(body.length)];

const answerOrdinarily: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = echo(request, Buffer.concat(chunks).toString("utf8"));
    response.writeHead(200, headersOf(body)).end(body, "latin1");
  });
};

interface Transcript {
  readonly sent: string;
  readonly isOpen: boolean;
}

/** Everything that a server sends over one connection in which these chunks arrive. */
async function talk(
  chunks: readonly string[],
  way: "direct" | "ordinary",
  clock: Clock = new ManualClock(),
): Promise<{ readonly transcript: Transcript; readonly direct: readonly DirectRequest[] }> {
  const direct: DirectRequest[] = [];
  const find = (request: DirectRequest): DirectAnswer => {
    direct.push(request);
    const body = echo(request, request.body);
    return { status: 200, headers: headersOf(body), body };
  };
  const server = createServer({ keepAliveTimeout: 7_000 }, answerOrdinarily);
  const sockets = new ServerSockets({ clock, log: quietLog, slowAnswer: () => "slow" });
  sockets.watch(server, way === "direct" ? { find, limitBytes: 4_096 } : undefined);
  const socket = new MemorySocket();
  server.emit("connection", socket);
  for (const chunk of chunks) await socket.deliver(chunk);
  const transcript = { sent: socket.sent.replaceAll(/Date: [^\r]*/g, "Date"), isOpen: !socket.destroyed };
  socket.destroy();
  return { transcript, direct };
}

/** Most turns are over when a chunk comes, so that it waits for a later one. */
function busyClock(): Clock {
  const clock = new ManualClock();
  let elapsedMs = 0;
  clock.monotonic = () => {
    elapsedMs += 7;
    return elapsedMs;
  };
  return clock;
}

/** The direct way must be invisible; returns the requests that it answered. */
async function talkBoth(chunks: readonly string[]): Promise<readonly DirectRequest[]> {
  const { transcript, direct } = await talk(chunks, "direct");
  const ordinary = (await talk(chunks, "ordinary")).transcript;
  expect(transcript, JSON.stringify(chunks)).toEqual(ordinary);
  // An error ends a connection with the answers that are not sent yet, and which those are depends on turns.
  if (ordinary.sent.includes("400 Bad Request")) return direct;
  const busy = await talk(chunks, "direct", busyClock());
  expect(busy.transcript, JSON.stringify(chunks)).toEqual(ordinary);
  expect(busy.direct.map(({ url }) => url)).toEqual(direct.map(({ url }) => url));
  return direct;
}

const get = "GET /first?a=1 HTTP/1.1\r\nHost: a.example\r\nAccept: */*\r\n\r\n";
const next = "GET /second HTTP/1.1\r\nHost: a.example\r\nX-One: two words\r\nConnection: keep-alive\r\n\r\n";
const post = 'POST /third HTTP/1.1\r\nHost: a.example\r\nContent-Length: 8\r\n\r\n{"\xc3\xa9":1}';

/** The request after the first line and the Host header. */
const withHead = (rest: string) => `GET /x HTTP/1.1\r\nHost: a.example\r\n${rest}`;

/** Each may be read in two ways, or is more or less than one request. */
const doubtful: Readonly<Record<string, string>> = {
  "bare LF": "GET /x HTTP/1.1\nHost: a.example\n\n",
  "bare LF after the first line": "GET /x HTTP/1.1\nHost: a.example\r\n\r\n",
  "bare LF between headers": withHead("A: b\nC: d\r\n\r\n"),
  "bare CR between headers": withHead("A: b\rC: d\r\n\r\n"),
  "a folded header": withHead("A: b\r\n c\r\n\r\n"),
  "a space before the colon": withHead("A : b\r\n\r\n"),
  "no space after the colon": withHead("A:b\r\n\r\n"),
  "two spaces after the colon": withHead("A:  b\r\n\r\n"),
  "a tab after the colon": withHead("A:\tb\r\n\r\n"),
  "a space after the value": withHead("A: b \r\n\r\n"),
  "an empty value": withHead("A: \r\n\r\n"),
  "NUL in a value": withHead("A: b\0c\r\n\r\n"),
  "NUL in a name": withHead("A\0: b\r\n\r\n"),
  "a byte above ASCII": withHead("A: \xe9\r\n\r\n"),
  "a name with an underscore": withHead("__proto__: a\r\n\r\n"),
  "two equal names": withHead("Accept: a\r\naccept: b\r\n\r\n"),
  "two Hosts": withHead("Host: b.example\r\n\r\n"),
  "no Host": "GET /x HTTP/1.1\r\nAccept: */*\r\n\r\n",
  "the absolute form": "GET http://b.example/x HTTP/1.1\r\nHost: a.example\r\n\r\n",
  "the asterisk form": "GET * HTTP/1.1\r\nHost: a.example\r\n\r\n",
  "two spaces in the first line": "GET  /x HTTP/1.1\r\nHost: a.example\r\n\r\n",
  "HTTP/1.0": "GET /x HTTP/1.0\r\nHost: a.example\r\n\r\n",
  "HTTP/1.1 without a URL": "GET HTTP/1.1\r\nHost: a.example\r\n\r\n",
  "another method": "HEAD /x HTTP/1.1\r\nHost: a.example\r\n\r\n",
  "a line break before": "\r\nGET /x HTTP/1.1\r\nHost: a.example\r\n\r\n",
  "a line break after": `${get}\r\n`,
  "Connection: close": withHead("Connection: close\r\n\r\n"),
  "Connection with a list": withHead("Connection: keep-alive, close\r\n\r\n"),
  "Proxy-Connection": withHead("Proxy-Connection: close\r\n\r\n"),
  "an upgrade": withHead("Connection: keep-alive\r\nUpgrade: h2c\r\n\r\n"),
  "a chunked GET": withHead("Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
  "a GET with a body": withHead("Content-Length: 3\r\n\r\nabc"),
  "a GET with an empty body": withHead("Content-Length: 0\r\n\r\n"),
  "an expectation": withHead("Expect: 100-continue\r\n\r\n"),
  "a POST without a length": "POST /x HTTP/1.1\r\nHost: a.example\r\n\r\n",
  "a POST with a shorter body": `${post}x`,
  "a POST with a longer body": post.slice(0, -1),
  "a POST with a signed length": post.replace(": 8", ": +8"),
  "a POST with a long length": post.replace(": 8", ": 08"),
  "a POST with two lengths": post.replace(": 8", ": 8\r\nContent-Length: 8"),
  "a POST with both lengths": post.replace(": 8", ": 8\r\nTransfer-Encoding: chunked"),
  "a pipelined pair": `${get}${next}`,
  "a POST that hides a GET": `${post}${get}`,
  "a long URL": `GET /${"x".repeat(4_096)} HTTP/1.1\r\nHost: a.example\r\n\r\n`,
  "many headers": withHead(`${Array.from({ length: 100 }, (_, at) => `A${at}: b\r\n`).join("")}\r\n`),
};

describe("the direct way of a connection", () => {
  it("answers strict requests after the first", async () => {
    const direct = await talkBoth([get, next, post, get]);
    expect(direct.map(({ method, url, headers, body }) => ({ method, url, headers, body }))).toEqual([
      {
        method: "GET",
        url: "/second",
        headers: { host: "a.example", "x-one": "two words", connection: "keep-alive" },
        body: "",
      },
      { method: "POST", url: "/third", headers: { host: "a.example", "content-length": "8" }, body: '{"é":1}' },
      { method: "GET", url: "/first?a=1", headers: { host: "a.example", accept: "*/*" }, body: "" },
    ]);
  });

  it.each(Object.entries(doubtful))("leaves %s, and all that follows, to the ordinary way", async (_name, text) => {
    expect(await talkBoth([get, text, next, post])).toEqual([]);
  });

  it("leaves a request in pieces to the ordinary way, wherever it is cut", async () => {
    const cuts = [get, post].flatMap((text) =>
      Array.from(text.slice(1), (_, at) => [text.slice(0, at + 1), text.slice(at + 1)]),
    );
    for (const parts of cuts) expect(await talkBoth([get, ...parts, next])).toEqual([]);
  });

  it("leaves pairs to the ordinary way, wherever they are cut but between the two", async () => {
    const pair = `${get}${post}`;
    for (let at = 1; at < pair.length; at++)
      expect((await talkBoth([get, pair.slice(0, at), pair.slice(at), next])).length).toBe(at === get.length ? 3 : 0);
  });

  it("does not answer before the answers of earlier requests are sent", async () => {
    const server = createServer();
    const waiting: (() => void)[] = [];
    server.on("request", (_request, response) => waiting.push(() => void response.end("ordinary")));
    const find = (): DirectAnswer => ({ status: 200, headers: ["Content-Length", "6"], body: "direct" as ByteText });
    const sockets = new ServerSockets({ clock: new ManualClock(), log: quietLog, slowAnswer: () => "" });
    sockets.watch(server, { find, limitBytes: 4_096 });
    const socket = new MemorySocket();
    server.emit("connection", socket);
    await socket.deliver(get);
    await socket.deliver(next);
    expect(socket.sent).toBe("");
    for (const finish of waiting) finish();
    await socket.quiet();
    await socket.deliver(next);
    expect(socket.sent.match(/ordinary|direct/g)).toEqual(["ordinary", "ordinary", "direct"]);
  });

  it("gives a client that does not read the time of any answer, and then that of an idle one", async () => {
    const server = createServer({ keepAliveTimeout: 7_000 }, answerOrdinarily);
    const sockets = new ServerSockets({ clock: new ManualClock(), log: quietLog, slowAnswer: () => "" });
    const find = (): DirectAnswer => ({ status: 200, headers: ["Content-Length", "6"], body: "direct" as ByteText });
    sockets.watch(server, { find, limitBytes: 4_096 });
    const socket = new MemorySocket();
    server.emit("connection", socket);
    await socket.deliver(get);
    socket.timeouts.length = 0;
    socket.isRead = false;
    await socket.deliver(next);
    expect(socket.timeouts).toEqual([30_000]);
    socket.startReading();
    await socket.quiet();
    expect(socket.timeouts).toEqual([30_000, 7_000]);
  });
});

/** Requests in correct and in odd forms, with single characters changed, and cut anywhere. */
const oddLine = fc.constantFrom(
  ...["Accept: */*", "accept: b", "X-A: b c", "X-A:b", "X-A : b", "Host: b.example", "Connection: keep-alive"],
  ...["Connection: close", "Content-Length: 3", "Content-Length: 0", "Transfer-Encoding: chunked", " folded", "X-B: "],
);
const lineEnd = fc.oneof({ weight: 30, arbitrary: fc.constant("\r\n") }, fc.constantFrom("\n", "\r", "\r\n "));
const oddRequest = fc
  .record({
    method: fc.constantFrom("GET", "GET", "GET", "POST", "HEAD", "get"),
    url: fc.constantFrom("/a", "/a?b=c", "*", "http://c.example/", "/\x7f", "/é"),
    lines: fc.array(fc.tuple(oddLine, lineEnd), { maxLength: 3 }),
    end: lineEnd,
    body: fc.constantFrom("", "", "", "abc", "0\r\n\r\n"),
  })
  .map(({ method, url, lines, end, body }) => {
    const head = lines.map(([line, lineBreak]) => `${line}${lineBreak}`).join("");
    return `${method} ${url} HTTP/1.1${end}Host: a.example\r\n${head}${end}${body}`;
  });
const mutated = fc
  .tuple(
    fc.constantFrom(get, next, post),
    fc.nat(120),
    fc.constantFrom("", "\0", "\r", "\n", " ", "\t", ":", "\x80", "\r\n", "\r\n\r\n", "x"),
    fc.boolean(),
  )
  .map(([text, at, piece, isReplaced]) => text.slice(0, at) + piece + text.slice(isReplaced ? at + 1 : at));
const cut = fc
  .tuple(fc.constantFrom(get, next, post), fc.nat(120))
  .map(([text, at]) => [text.slice(0, at), text.slice(at)].filter((part) => part !== ""));
const conversation = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom([get], [next], [post]) },
      ...[oddRequest, mutated].map((each) => each.map((text) => [text])),
      cut,
      fc.tuple(mutated, oddRequest).map(([one, other]) => [`${one}${other}`]),
    ),
    { maxLength: 5 },
  )
  .map((parts) => [get, ...parts.flat()]);

describe("any conversation", () => {
  it("is the same with and without the direct way", async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(conversation, async (chunks) => {
        answered += (await talkBoth(chunks)).length;
      }),
      { numRuns: repeats({ usual: 200, all: 4_000 }) },
    );
    expect(answered).toBeGreaterThan(100);
  }, 600_000);
});
