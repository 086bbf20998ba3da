const firstSlots = 1_024;

/** Finds numbers by the first 32 bits of a hash, in flat memory; hashes of blocks are evenly spread already. */
export class HashSlots {
  readonly #startOf: (number: number) => number;
  /** Each number plus one, at the first free place from its start on; zero is free. */
  #slots = new Uint32Array(firstSlots);
  #count = 0;

  /** `startOf` returns the first 32 bits of the hash of a number. */
  constructor(startOf: (number: number) => number) {
    this.#startOf = startOf;
  }

  get bytes(): number {
    return this.#slots.byteLength;
  }

  add(number: number): void {
    this.#count++;
    if (this.#count * 4 > this.#slots.length * 3) this.#grow();
    this.#put(number + 1);
  }

  /** The first number with this start for which `isWanted` holds. */
  find(start: number, isWanted: (number: number) => boolean): number | undefined {
    const last = this.#slots.length - 1;
    for (let at = start & last; ; at = (at + 1) & last) {
      const held = this.#slots[at] as number;
      if (held === 0) return undefined;
      if (isWanted(held - 1)) return held - 1;
    }
  }

  #put(held: number): void {
    const last = this.#slots.length - 1;
    let at = this.#startOf(held - 1) & last;
    while (this.#slots[at] !== 0) at = (at + 1) & last;
    this.#slots[at] = held;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(before.length * 2);
    for (const held of before) if (held !== 0) this.#put(held);
  }
}
