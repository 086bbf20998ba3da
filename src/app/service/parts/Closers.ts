/** What this process is closing now, for the report of a stop that does not end; of nested parts the inner ones too. */
const closing = new Set<{ readonly name: string }>();

/** The names of the parts that are being closed, from the outer to the inner ones. */
export function listClosing(): readonly string[] {
  return [...closing].map(({ name }) => name);
}

/** Parts that were opened one after another, to be closed in reverse. */
export class Closers {
  readonly #stack: { readonly name: string; readonly close: () => Promise<void> }[] = [];

  /** Adds a part with the name by which an operator knows it. */
  add(name: string, close: () => Promise<void>): void {
    this.#stack.push({ name, close });
  }

  /** Closes everything, even if a part fails to; then throws the first failure. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (let step = this.#stack.pop(); step !== undefined; step = this.#stack.pop()) {
      closing.add(step);
      await step.close().catch((error: unknown) => failures.push(error));
      closing.delete(step);
    }
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
