import type { LiteServer, TypedAskOptions } from "../lite/server/LiteServer.ts";

/** The blocks whose values are kept: clients ask about the newest ones. */
const blocksKept = 16;

/**
 * In the place of `ByBlock.ts`, for clients: they prove nothing to others, so that no exchange is kept with a value.
 */
export class ByBlock<T> {
  readonly #values = new Map<string, Promise<T>>();

  /** The value of a block by its root hash; callers at the same time share one load. */
  async get(
    { server, asking }: { readonly server: LiteServer; readonly asking: TypedAskOptions },
    block: string,
    compute: (server: LiteServer, asking: TypedAskOptions) => Promise<T>,
  ): Promise<T> {
    const known = this.#values.get(block);
    // The caller who loaded it may have given up, and this one has not.
    if (known !== undefined) return known.catch(() => compute(server, asking));
    const loaded = compute(server, asking);
    this.#values.set(block, loaded);
    const [oldest = ""] = this.#values.keys();
    if (this.#values.size > blocksKept) this.#values.delete(oldest);
    return loaded.catch((error: unknown) => {
      this.#values.delete(block);
      throw error;
    });
  }

  clear(): void {
    this.#values.clear();
  }
}
