/** Parts that were opened one after another, to be closed in reverse. */
export class Closers {
  readonly #stack: (() => Promise<void>)[] = [];

  add(close: () => Promise<void>): void {
    this.#stack.push(close);
  }

  /** Closes everything, even if a part fails to; then throws the first failure. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#stack.pop(); close !== undefined; close = this.#stack.pop())
      await close().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }
}

/** Opens parts together; if one cannot be opened, those before it are closed again. */
export async function openTogether<T>(open: (closers: Closers) => Promise<T>): Promise<T> {
  const closers = new Closers();
  try {
    return await open(closers);
  } catch (error) {
    await closers.close();
    throw error;
  }
}
