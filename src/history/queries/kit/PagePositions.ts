import type { Clock } from "../../../lib/clock.ts";
import { Lru } from "../../../lib/lru.ts";

const keptMs = 60_000;
const maxBytes = 2 << 20;
/** Longer lists of filters are not remembered. */
const maxListLength = 4096;

/** Where a page begins: behind a cursor, which stands for all rows of its offset. */
export interface ResumedPage {
  readonly cursor: string;
  /** When the walk read the first page behind which it was remembered. */
  readonly sinceMs: number;
}

interface Position extends ResumedPage {
  readonly notedMs: number;
}

/**
 * Where pages of lists that are read by offset have ended. The database reads all rows before an offset, so that a walk
 * through a long list takes the square of its length; the page that begins where another one has just ended begins at
 * its cursor instead.
 */
export class PagePositions {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #minOffset: number;
  readonly #positions = new Lru<string, Position>({ maxBytes, sizeOf: (_, key) => 300 + 2 * key.length });

  /** `minOffset`: rows before a shorter one are few enough to be read again. */
  constructor(clock: Pick<Clock, "monotonic">, minOffset: number) {
    this.#clock = clock;
    this.#minOffset = minOffset;
  }

  /** The position of an offset in a list, which is known by its operation, filters and caller. */
  find(list: string, offset: number): ResumedPage | undefined {
    if (offset < this.#minOffset || list.length > maxListLength) return undefined;
    const found = this.#positions.find(keyOf(list, offset));
    return found !== undefined && this.#clock.monotonic() - found.notedMs < keptMs ? found : undefined;
  }

  /**
   * Remembers where a page has ended. `sinceMs` is that of the position at which it began, or the time before it was
   * read. What an older walk saw does not replace what a newer one did: in a list with the newest rows first, rows that
   * came between both would be skipped.
   */
  note(list: string, offset: number, cursor: string, sinceMs: number): void {
    if (offset < this.#minOffset || list.length > maxListLength) return;
    const known = this.find(list, offset);
    if (known !== undefined && known.sinceMs > sinceMs) return;
    this.#positions.set(keyOf(list, offset), { cursor, sinceMs, notedMs: this.#clock.monotonic() });
  }
}

const keyOf = (list: string, offset: number) => `${offset} ${list}`;
