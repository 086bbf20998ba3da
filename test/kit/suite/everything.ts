/** Whether rules that the ordinary run proves once are repeated with more seeds, kills and operations. */
const everything = process.env.TONGATE_EVERYTHING !== undefined;

/** How often to repeat: a few times in the ordinary run, and more with `TONGATE_EVERYTHING`. */
export function repeats({ usual, all }: { readonly usual: number; readonly all: number }): number {
  return everything ? all : usual;
}

/** The cases of the ordinary run, or all of them with `TONGATE_EVERYTHING`. */
export function someOf<T>(all: readonly T[], isUsual: (each: T, at: number) => boolean): readonly T[] {
  return everything ? all : all.filter(isUsual);
}
