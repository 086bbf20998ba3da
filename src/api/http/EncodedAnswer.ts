import { Inflight } from "../../lib/inflight.ts";
import type { AnswerNotes } from "../declare/AnswerNotes.ts";
import { type AnswerPiece, type ByteText, ownByteText } from "./answers/byteText.ts";
import type { CancelToken } from "./answers/CancelToken.ts";
import { type OpenGzip, openGzip } from "./answers/gzip.ts";
import { shareRun } from "./shareRun.ts";

/** Shorter answers are not worth decompressing. */
export const compressFromBytes = 8192;

/** The overhead of an entry. */
const overheadBytes = 300;

/** An encoded result: JSON in bytes, in one or several pieces, with its notes. */
export class EncodedAnswer {
  readonly pieces: readonly AnswerPiece[];
  readonly length: number;
  readonly notes: AnswerNotes;
  #packed: OpenGzip | undefined;
  #packing: Inflight<string, OpenGzip> | undefined;

  constructor(pieces: readonly AnswerPiece[], notes: AnswerNotes) {
    this.pieces = pieces;
    this.length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    this.notes = notes;
  }

  /** A copy in memory that holds nothing else; several pieces hold nothing else, or share a long text with others. */
  owned(): EncodedAnswer {
    const [first] = this.pieces;
    if (this.pieces.length > 1 || typeof first !== "string") return this;
    return new EncodedAnswer([ownByteText(first)], this.notes);
  }

  /** Its size in a cache; large ones reserve room for their compressed form. */
  get bytes(): number {
    return overheadBytes + this.length + (this.length >= compressFromBytes ? this.length >> 1 : 0);
  }

  /** Compressed after the given prefix, which is always the same; made once, unless all clients leave meanwhile. */
  async packed(beginning: ByteText, gone: () => CancelToken): Promise<OpenGzip> {
    if (this.#packed !== undefined) return this.#packed;
    this.#packing ??= new Inflight();
    const pack = (token: CancelToken) => openGzip([beginning, ...this.pieces], token);
    const packed = await shareRun(this.#packing, "", pack, gone());
    this.#packed = packed;
    this.#packing = undefined;
    return packed;
  }
}
