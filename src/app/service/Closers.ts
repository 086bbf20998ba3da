/** What was opened one after another, to be closed in reverse. */
export class Closers {
  readonly #stack: (() => Promise<void>)[] = [];

  add(close: () => Promise<void>): void {
    this.#stack.push(close);
  }

  /** Closes everything, even when a part of it fails to; then throws the first failure. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#stack.pop(); close !== undefined; close = this.#stack.pop()) {
      await close().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}
