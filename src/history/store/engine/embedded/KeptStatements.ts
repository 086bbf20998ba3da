/** The names under which a session keeps statements, by their texts; the one that was used longest ago makes room. */
export class KeptStatements {
  readonly #max: number;
  readonly #names = new Map<string, string>();
  /** Names that the session may still have. */
  #dropped: string[] = [];
  #made = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** The name of a statement, whether the session must parse it first, and the names that it forgets before. */
  take(sql: string): { readonly name: string; readonly isNew: boolean; readonly dropped: readonly string[] } {
    const known = this.#names.get(sql);
    const name = known ?? `kept${this.#made++}`;
    this.#names.delete(sql);
    const [oldest] = this.#names.keys();
    if (this.#names.size >= this.#max && oldest !== undefined) this.drop(oldest);
    this.#names.set(sql, name);
    const dropped = this.#dropped;
    this.#dropped = [];
    return { name, isNew: known === undefined, dropped };
  }

  /** Forgets a statement. */
  drop(sql: string): void {
    const name = this.#names.get(sql);
    if (name !== undefined) this.#dropped.push(name);
    this.#names.delete(sql);
  }
}
