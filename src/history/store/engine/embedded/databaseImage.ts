import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeSync,
} from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createBrotliCompress, createBrotliDecompress } from "node:zlib";
import { throwIfAborted } from "../../../../lib/deadline.ts";

/**
 * The files of a new database with all tables, packed when the program is built: creating them takes seconds of CPU,
 * unpacking a fraction of one. A line of JSON, then the bytes of all files, compressed as one stream.
 */
interface ImageHead {
  /** The version of the engine that made the files; another one creates its own. */
  readonly engine: string;
  /** Folders, before what is in them; names use slashes. */
  readonly folders: readonly string[];
  readonly files: readonly (readonly [path: string, bytes: number])[];
}

/** The window spans the largest file, so that equal tables of the three databases inside are stored once. */
const windowBits = 24;
const quality = 9;
const lineFeed = 10;
const chunkSize = 1 << 18;

function engineVersion(): string {
  const program = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  return String(JSON.parse(readFileSync(join(program, "..", "..", "package.json"), "utf8")).version);
}

/** Packs the files of a database that is closed. */
export async function packImage(files: string, image: string): Promise<void> {
  const paths = readdirSync(files, { recursive: true, encoding: "utf8" }).sort();
  const [folders, inside] = [[] as string[], [] as [string, number][]];
  for (const path of paths) {
    const found = statSync(join(files, path));
    const name = path.replaceAll("\\", "/");
    if (found.isDirectory()) folders.push(name);
    else inside.push([name, found.size]);
  }
  const head: ImageHead = { engine: engineVersion(), folders, files: inside };
  const params = { [constants.BROTLI_PARAM_LGWIN]: windowBits, [constants.BROTLI_PARAM_QUALITY]: quality };
  const all = function* () {
    yield Buffer.from(`${JSON.stringify(head)}\n`);
    for (const [path] of inside) yield readFileSync(join(files, path));
  };
  await pipeline(Readable.from(all()), createBrotliCompress({ params }), createWriteStream(image));
}

/** Unpacks an image into an empty folder; returns whether there is one that this engine made. */
export async function unpackImage(image: string, folder: string, signal?: AbortSignal): Promise<boolean> {
  if (!existsSync(image)) return false;
  const bytes = new ImageReader(decompress(createReadStream(image)));
  try {
    const head: ImageHead = JSON.parse((await bytes.line()).toString());
    if (head.engine !== engineVersion()) return false;
    // More than a thousand small files: without a promise for each step this takes a third of the CPU.
    for (const path of head.folders) mkdirSync(join(folder, path), { mode: 0o700 });
    for (const [path, size] of head.files) {
      throwIfAborted(signal);
      const file = openSync(join(folder, path), "wx", 0o600);
      try {
        await bytes.take(size, (piece) => writeSync(file, piece));
      } finally {
        closeSync(file);
      }
    }
    return true;
  } finally {
    bytes.close();
  }
}

function decompress(packed: Readable): Readable {
  const unpacked = createBrotliDecompress({ chunkSize });
  packed.on("error", (error) => unpacked.destroy(error));
  unpacked.on("close", () => packed.destroy());
  return packed.pipe(unpacked);
}

/** Reads a stream by lines and lengths, one piece in memory at a time. */
class ImageReader {
  readonly #stream: Readable;
  readonly #pieces: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#stream = stream;
    this.#pieces = stream[Symbol.asyncIterator]();
  }

  async line(): Promise<Buffer> {
    let at = this.#rest.indexOf(lineFeed);
    while (at < 0) {
      this.#rest = Buffer.concat([this.#rest, await this.#next()]);
      at = this.#rest.indexOf(lineFeed);
    }
    const line = this.#rest.subarray(0, at);
    this.#rest = this.#rest.subarray(at + 1);
    return line;
  }

  async take(size: number, use: (piece: Buffer) => void): Promise<void> {
    for (let left = size; left > 0; ) {
      if (this.#rest.length === 0) this.#rest = await this.#next();
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      use(piece);
    }
  }

  close(): void {
    this.#stream.destroy();
  }

  async #next(): Promise<Buffer> {
    const { done, value } = await this.#pieces.next();
    if (done === true) throw new Error("the image of the database is incomplete");
    return value;
  }
}
