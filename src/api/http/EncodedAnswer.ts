import type { AnswerNotes } from "../declare/RequestContext.ts";
import { type ByteText, ownByteText } from "./byteText.ts";
import { type OpenGzip, openGzip } from "./gzip.ts";

/** Shorter answers are not worth decompressing. */
export const compressFromBytes = 8192;

/** The overhead of an entry. */
const overheadBytes = 300;

/** An encoded result: JSON in bytes, with its notes. */
export class EncodedAnswer {
  readonly text: ByteText;
  readonly notes: AnswerNotes;
  #packed: Promise<OpenGzip> | undefined;

  constructor(text: ByteText, notes: AnswerNotes) {
    this.text = text;
    this.notes = notes;
  }

  /** A copy in memory that holds nothing else. */
  owned(): EncodedAnswer {
    return new EncodedAnswer(ownByteText(this.text), this.notes);
  }

  /** Its size in a cache; large ones reserve room for their compressed form. */
  get bytes(): number {
    const { length } = this.text;
    return overheadBytes + length + (length >= compressFromBytes ? length >> 1 : 0);
  }

  /** Compressed after the given prefix, which is always the same; made once. */
  packed(beginning: ByteText): Promise<OpenGzip> {
    this.#packed ??= openGzip((beginning + this.text) as ByteText);
    return this.#packed;
  }
}
