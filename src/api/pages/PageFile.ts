import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const [brotliAsync, gzipAsync] = [promisify(brotliCompress), promisify(gzip)];

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json",
  svg: "image/svg+xml",
};

/** The bytes of a file in one encoding. */
export interface EncodedFile {
  readonly bytes: Uint8Array;
  readonly encoding: "br" | "gzip" | undefined;
}

/** A file of a page, kept in memory and compressed once per encoding. */
export class PageFile {
  readonly type: string;
  readonly etag: string;
  readonly #bytes: Uint8Array;
  readonly #compressed = new Map<string, Promise<Uint8Array>>();

  constructor(name: string, bytes: Uint8Array) {
    this.type = types[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
    // Weak: the compressed forms differ in their bytes.
    this.etag = `W/"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
    this.#bytes = bytes;
  }

  /** The smallest form that the client accepts. */
  async encode(accepted: string | undefined): Promise<EncodedFile> {
    const encoding = (["br", "gzip"] as const).find((each) => isAccepted(accepted, each));
    return { bytes: encoding === undefined ? this.#bytes : await this.#compress(encoding), encoding };
  }

  #compress(encoding: "br" | "gzip"): Promise<Uint8Array> {
    const made = this.#compressed.get(encoding) ?? compress(this.#bytes, encoding);
    this.#compressed.set(encoding, made);
    return made;
  }
}

/** The best compression of the largest files takes seconds, while a browser waits. */
function brotliQuality(length: number): number {
  return length > 1 << 19 ? 9 : constants.BROTLI_MAX_QUALITY;
}

function compress(bytes: Uint8Array, encoding: "br" | "gzip"): Promise<Uint8Array> {
  return encoding === "gzip"
    ? gzipAsync(bytes, { level: 9 })
    : brotliAsync(bytes, {
        params: {
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
          [constants.BROTLI_PARAM_QUALITY]: brotliQuality(bytes.length),
        },
      });
}

function isAccepted(accepted: string | undefined, encoding: string): boolean {
  const entry = accepted?.split(",").find((each) => each.trim().split(";")[0]?.trim() === encoding);
  return entry !== undefined && !/;\s*q=0(?:\.0*)?\s*$/.test(entry);
}
