/** A connection that holds bytes of a message that is not complete. */
export interface IncomingHolder {
  /** Ends the connection at once, because all of them together hold too much. */
  giveUp(): void;
}

/** What unfinished messages of all connections may hold together. */
const maxBytes = 32 << 20;

/**
 * The bytes that the WebSockets of one network hold together while messages arrive; beyond the limit the largest ends.
 */
export class IncomingBytes {
  readonly #held = new Map<IncomingHolder, number>();
  #total = 0;

  /** Notes what a connection holds now. */
  set(holder: IncomingHolder, bytes: number): void {
    const before = this.#held.get(holder) ?? 0;
    if (bytes === before) return;
    this.#total += bytes - before;
    if (bytes === 0) this.#held.delete(holder);
    else this.#held.set(holder, bytes);
    while (this.#total > maxBytes) this.#endLargest();
  }

  #endLargest(): void {
    let largest: IncomingHolder | undefined;
    let max = 0;
    for (const [holder, bytes] of this.#held) {
      if (bytes <= max) continue;
      max = bytes;
      largest = holder;
    }
    if (largest === undefined) return;
    this.#held.delete(largest);
    this.#total -= max;
    largest.giveUp();
  }
}
