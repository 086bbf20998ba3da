import type { Clock } from "../../../lib/clock.ts";
import {
  countDeferred,
  defaultJsonLimits,
  formatPlain,
  type JsonSink,
  writeMixed,
} from "../../../lib/kit/deferredJson.ts";
import { FairTurns } from "../../../lib/sharing/FairTurns.ts";
import { runInTurns, type Steps } from "../../../lib/sharing/steps.ts";
import { ApiError } from "../../declare/errors.ts";
import { type AnswerPiece, type ByteText, joinPieces, ownByteText, toByteText } from "./byteText.ts";
import type { MaybePromise } from "./maybePromise.ts";
import { cutBytes, piecesFromBytes } from "./writePieces.ts";

/**
 * How long answers are written before timers and sockets get their turn. Work that sockets begin goes on once after
 * them, before the timers: two turns and their last steps are less than 10 ms.
 */
const turnMs = 4;
/** The size of a piece, and how much of an answer is written at once before others may use the thread. */
const pieceBytes = 1 << 16;

export interface AnswerLimits {
  /** The largest answer, and the largest batch. */
  readonly maxAnswerBytes: number;
  /** The largest stack of a get-method in an answer. */
  readonly maxStackBytes: number;
  /** The largest total size of answers that are being written or wait for their readers. */
  readonly maxUnsentBytes: number;
}

export const defaultAnswerLimits: AnswerLimits = {
  maxAnswerBytes: defaultJsonLimits.maxBytes,
  maxStackBytes: defaultJsonLimits.maxPartBytes,
  maxUnsentBytes: 96 << 20,
};

/** Counts memory of answers; `reserve` throws when there is no room. */
export interface AnswerMemory {
  reserve(bytes: number): void;
  release(bytes: number): void;
}

/** The caller, and the signal that cancels the answer. */
export interface AnswerOwner {
  readonly caller: string;
  readonly signal: () => AbortSignal;
  /** Where its bytes are counted, if not with all other answers. */
  readonly memory?: AnswerMemory | undefined;
}

/** JSON that is written already, before and after a value; of a long text after it, no copy is made. */
export interface AroundValue {
  readonly before: string;
  readonly after: string;
  readonly long: string;
  readonly end: string;
}

/**
 * Writes the answers of a process. One without long lists is written at once, as the platform writes it. Others are
 * written in pieces, in turns with all other answers that are being written, up to the size limit.
 */
export class AnswerWriter {
  readonly limits: AnswerLimits;
  readonly #memory: AnswerMemory;
  readonly #turns: FairTurns;
  readonly #clock: Pick<Clock, "monotonic">;

  constructor(limits: AnswerLimits, memory: AnswerMemory, clock: Pick<Clock, "monotonic">) {
    this.limits = limits;
    this.#memory = memory;
    this.#clock = clock;
    this.#turns = new FairTurns(clock, turnMs);
  }

  /** The JSON of a value in pieces; throws, or rejects with, "api/answer-size" if it is too large. */
  write(encode: () => unknown, owner: AnswerOwner, around?: AroundValue): MaybePromise<readonly AnswerPiece[]> {
    const before = countDeferred();
    const value = encode();
    if (countDeferred() === before) {
      const plain = formatPlain(value);
      if (around !== undefined) return this.#piecesAround(plain, around);
      const texts = this.#checked([toByteText(plain)]);
      return plain.length < piecesFromBytes ? texts : [...cutBytes([Buffer.from(plain)])];
    }
    const sink = new PieceSink(this.limits, owner.memory ?? this.#memory);
    const steps = around === undefined ? writeMixed(sink, value) : writeAround(sink, value, around);
    return this.#writeSteps(steps, sink, owner);
  }

  #piecesAround(plain: string, { before, after, long, end }: AroundValue): readonly AnswerPiece[] {
    const texts = this.#checked([`${before}${plain}${after}`, long, end].map(toByteText));
    return texts.flatMap(cutText);
  }

  #checked(texts: readonly ByteText[]): readonly ByteText[] {
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    if (length > this.limits.maxAnswerBytes) throw tooLarge(this.limits.maxAnswerBytes);
    return texts;
  }

  /** The first piece is written at once, like an answer without long lists, unless answers have used up the turn. */
  #writeSteps(steps: Steps<void>, sink: PieceSink, owner: AnswerOwner): MaybePromise<readonly AnswerPiece[]> {
    try {
      while (!sink.hasPieces && this.#turns.mayStep()) if (steps.next().done === true) return sink.finish();
    } catch (error) {
      sink.drop();
      throw error;
    }
    return this.#writeRest(steps, sink, owner).catch((error: unknown) => {
      sink.drop();
      throw error;
    });
  }

  async #writeRest(steps: Steps<void>, sink: PieceSink, owner: AnswerOwner): Promise<readonly AnswerPiece[]> {
    const work = this.#turns.open({ caller: owner.caller, isFirst: false });
    const signal = owner.signal();
    try {
      await work.next(signal);
      await runInTurns(inPieces(steps, sink, this.#clock), () => {
        signal.throwIfAborted();
        return work.next(signal);
      });
      return sink.finish();
    } finally {
      work.pause();
    }
  }
}

function* writeAround(sink: JsonSink, value: unknown, { before, after, long, end }: AroundValue): Steps<void> {
  sink.add(before);
  yield* writeMixed(sink, value);
  for (const text of [after, long, end]) sink.add(text);
}

/** The same steps, with a pause only where enough was written or took long enough. */
function* inPieces(steps: Steps<void>, sink: PieceSink, clock: Pick<Clock, "monotonic">): Steps<void> {
  let mark = sink.written;
  let untilMs = clock.monotonic() + pauseMs;
  for (;;) {
    if (steps.next().done === true) return;
    if (sink.written - mark < pieceBytes / 4 && clock.monotonic() < untilMs) continue;
    yield;
    mark = sink.written;
    untilMs = clock.monotonic() + pauseMs;
  }
}

/** Steps that write little may still take long. */
const pauseMs = 1;

/** The refusal of an answer, or of a batch, that is too large. */
export function tooLarge(maxBytes: number): ApiError {
  return new ApiError(
    "api/answer-size",
    `the answer has more than ${maxBytes} bytes; ask for less at once, with a smaller limit or fewer parts`,
    { data: { maxBytes } },
  );
}

/** Collects the text of an answer in pieces of bytes. */
class PieceSink implements JsonSink {
  readonly maxPartBytes: number;
  readonly texts = new Map<unknown, readonly string[]>();
  readonly #pieces: Buffer[] = [];
  readonly #maxBytes: number;
  readonly #memory: AnswerMemory;
  #text = "";
  #bytes = 0;

  constructor({ maxAnswerBytes, maxStackBytes }: AnswerLimits, memory: AnswerMemory) {
    this.#maxBytes = maxAnswerBytes;
    this.maxPartBytes = maxStackBytes;
    this.#memory = memory;
  }

  get hasPieces(): boolean {
    return this.#pieces.length > 0;
  }

  /** Bytes and characters so far. */
  get written(): number {
    return this.#bytes + this.#text.length;
  }

  add(text: string): void {
    if (this.written + text.length > this.#maxBytes) throw tooLarge(this.#maxBytes);
    this.#text += text;
    if (this.#text.length >= pieceBytes) this.#flush();
  }

  finish(): readonly AnswerPiece[] {
    // A text that was put together keeps all its parts in memory.
    if (!this.hasPieces) return [ownByteText(toByteText(this.#text))];
    if (this.#text !== "") this.#flush();
    const length = this.#bytes;
    this.drop();
    return length < piecesFromBytes ? [joinPieces(this.#pieces)] : this.#pieces;
  }

  /** Forgets what was counted. */
  drop(): void {
    this.#memory.release(this.#bytes);
    this.#bytes = 0;
  }

  #flush(): void {
    const bytes = Buffer.from(this.#text);
    this.#text = "";
    this.#memory.reserve(bytes.length);
    this.#bytes += bytes.length;
    if (this.#bytes > this.#maxBytes) throw tooLarge(this.#maxBytes);
    for (const piece of cutBytes([bytes])) this.#pieces.push(piece);
  }
}

/** A long text in pieces. */
function cutText(text: ByteText): ByteText[] {
  if (text.length < 2 * pieceBytes) return [text];
  const pieces: ByteText[] = [];
  for (let at = 0; at < text.length; at += pieceBytes) pieces.push(text.slice(at, at + pieceBytes) as ByteText);
  return pieces;
}
