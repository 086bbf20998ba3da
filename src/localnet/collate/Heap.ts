/** A priority queue: the first item by an order is taken first. */
export class Heap<T> {
  readonly #isBefore: (a: T, b: T) => boolean;
  readonly #items: T[] = [];

  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore;
  }

  add(item: T): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = items[above] as T;
      if (!this.#isBefore(item, parent)) break;
      items[at] = parent;
      at = above;
    }
    items[at] = item;
  }

  /** Removes the first item; undefined when there is none. */
  take(): T | undefined {
    const items = this.#items;
    const [first] = items;
    const last = items.pop();
    if (items.length > 0 && last !== undefined) this.#sink(last);
    return first;
  }

  /** Puts an item in the place of the first one. */
  #sink(item: T): void {
    const items = this.#items;
    let at = 0;
    for (let below = 1; below < items.length; below = 2 * at + 1) {
      const other = below + 1;
      const next = other < items.length && this.#isBefore(items[other] as T, items[below] as T) ? other : below;
      const child = items[next] as T;
      if (!this.#isBefore(child, item)) break;
      items[at] = child;
      at = next;
    }
    items[at] = item;
  }
}
