import type { IncomingHttpHeaders } from "node:http";

/** A complete request as the strict reader reads it. */
export interface StrictRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The shortest line of a request is longer; longer requests are rare, and are not read twice. */
const requestBytes = { min: 16, max: 4_096 } as const;
/** Heads of this size are remembered for their connection. */
const maxKnownChars = 1_024;
const maxHeaders = 100;

const headEnd = "\r\n\r\n";
const requestLine = /^(GET|POST) (\/[\x21-\x7e]*) HTTP\/1\.1$/;
const headerLine = /^([A-Za-z][A-Za-z0-9-]*): ([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/;
const bodyLength = /^[1-9][0-9]{0,3}$/;

/** Headers that say where a request ends or what its connection becomes, with the values that change nothing. */
const framing: ReadonlyMap<string, RegExp> = new Map([
  ["connection", /^keep-alive$/i],
  ["content-length", bodyLength],
  ...["proxy-connection", "transfer-encoding", "te", "trailer", "upgrade", "expect", "http2-settings"].map(
    (name) => [name, /^(?!)/] as const,
  ),
]);

interface Head {
  readonly headers: IncomingHttpHeaders;
  readonly bodyBytes: number;
}

/**
 * Reads the requests of one connection that can be read in one way only. The rule: what it accepts is one complete
 * request that fills the chunk, written as RFC 9112 has clients write it, with no choice left to the reader: GET or
 * POST, a path of visible ASCII, `HTTP/1.1`, lines that end with CRLF, names of letters, digits and hyphens, one colon
 * and one space, values of ASCII without spaces around them, each name once, one Host, nothing that concerns the
 * connection, and the length of the body in digits, equal to the bytes that follow. Everything else is not read here.
 */
export class StrictReader {
  readonly #maxBytes: number;
  /** The last head without its first line: most clients send the same each time. */
  #knownText = "";
  #known: Head | undefined;

  constructor(limitBytes: number) {
    this.#maxBytes = Math.min(requestBytes.max, limitBytes);
  }

  /** The request; undefined for a chunk that is anything but one complete request in the strict form. */
  read(chunk: Buffer): StrictRequest | undefined {
    if (chunk.length < requestBytes.min || chunk.length > this.#maxBytes) return undefined;
    const text = chunk.toString("latin1");
    const lineEnd = text.indexOf("\r\n");
    const end = text.indexOf(headEnd, lineEnd);
    if (lineEnd === -1 || end === -1) return undefined;
    const line = requestLine.exec(text.slice(0, lineEnd));
    const head = line === null ? undefined : this.#findHead(text.slice(lineEnd, end));
    if (line === null || head === undefined) return undefined;
    const [, method, url = ""] = line;
    const bodyAt = end + headEnd.length;
    if (chunk.length - bodyAt !== head.bodyBytes || (method === "POST") !== head.bodyBytes > 0) return undefined;
    const body = head.bodyBytes === 0 ? "" : chunk.toString("utf8", bodyAt);
    return { method: method === "POST" ? "POST" : "GET", url, headers: head.headers, body };
  }

  #findHead(text: string): Head | undefined {
    if (this.#known !== undefined && text === this.#knownText) return this.#known;
    const head = readHead(text);
    if (head === undefined || text.length > maxKnownChars) return head;
    this.#known = head;
    this.#knownText = text;
    return head;
  }
}

/** Reads header lines, each after its line break. */
function readHead(text: string): Head | undefined {
  const [, ...lines] = text.split("\r\n");
  if (lines.length > maxHeaders) return undefined;
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const parts = headerLine.exec(line);
    if (parts === null) return undefined;
    const [, written = "", value = ""] = parts;
    const name = written.toLowerCase();
    if (Object.hasOwn(headers, name) || framing.get(name)?.test(value) === false) return undefined;
    headers[name] = value;
  }
  return headers.host === undefined ? undefined : { headers, bodyBytes: Number(headers["content-length"] ?? 0) };
}
