import type { Json, JsonList } from "../demoStage.ts";

export type Args = Readonly<Record<string, string>>;

/** Asks v3 a question with arguments, and gives the whole answer. */
export type AskV3 = (path: string, args: Args) => Promise<Json>;

/** One question with a filter, and which items of the whole list are its answer. */
export interface Filter {
  readonly args: Args;
  readonly keeps: (item: Json) => boolean;
  /** How an item is told under the filter, where that differs. */
  readonly shows?: (item: Json) => Json;
  /** Whether several values may be given, any of which is good enough. */
  readonly isList?: boolean;
}

/** A list of v3 and the filters that values of its own items make. */
export interface FilteredList {
  readonly path: string;
  readonly key: string;
  /** Given with every question, so that an item tells all that filters ask for. */
  readonly always?: Args;
  /** What together gives all items, where the list cannot be asked for without a filter. */
  readonly whole?: (accounts: readonly string[]) => readonly Args[];
  readonly filters: (item: Json, ask: AskV3) => readonly Filter[] | Promise<readonly Filter[]>;
  /** Whether two filters count together; all do unless said otherwise. */
  readonly joins?: (one: Args, other: Args) => boolean;
}

const partSize = 500;

/** What stands beside the lists is compared elsewhere. */
const bare = { x_no_address_book: "1", x_no_metadata: "1" };

async function askPart(ask: AskV3, list: FilteredList, args: Args, offset: number): Promise<JsonList> {
  const place = { limit: String(partSize), offset: String(offset) };
  const answer = await ask(list.path, { ...list.always, ...bare, ...args, ...place });
  const part = answer[list.key] as JsonList | undefined;
  if (part === undefined) throw new Error(`${list.path} ${JSON.stringify(args)}: ${JSON.stringify(answer)}`);
  return part;
}

/** All items that a question gives, part by part. */
export async function walkList(ask: AskV3, list: FilteredList, args: Args = {}): Promise<JsonList> {
  const items: Json[] = [];
  for (let part: JsonList | undefined; part === undefined || part.length === partSize; ) {
    part = await askPart(ask, list, args, items.length);
    items.push(...part);
  }
  return items;
}

/** All items of a list, each once. */
export async function walkWhole(ask: AskV3, list: FilteredList): Promise<JsonList> {
  if (list.whole === undefined) return walkList(ask, list);
  const richest = (await ask("topAccountsByBalance", { limit: "1000" })) as unknown as JsonList;
  const questions = list.whole(richest.map(({ account }) => String(account)));
  const found = new Map<string, Json>();
  for (const args of questions)
    for (const item of await walkList(ask, list, args)) found.set(JSON.stringify(item), item);
  return [...found.values()];
}

/** Some of many: the first, the last, and a few in between. */
export function someOf(items: JsonList, count: number): JsonList {
  const step = Math.max(1, Math.floor((items.length - 1) / (count - 1)));
  return items.filter((_, place) => place % step === 0);
}

/** Items in an order that no question decides. */
export function inAnyOrder(items: JsonList): readonly string[] {
  return items.map((item) => JSON.stringify(item)).sort();
}

/** The items of the whole list that a filter lets through, as they are told under it. */
export function letThrough(all: JsonList, { keeps, shows = (item) => item }: Filter): JsonList {
  return all.filter(keeps).map(shows);
}

/** Every two filters of a list that can be given together, as one. */
export function pairsOf({ joins = () => true }: FilteredList, filters: readonly Filter[]): readonly Filter[] {
  return filters.flatMap((one, place) =>
    filters.slice(place + 1).flatMap((other) => {
      const isApart = Object.keys(one.args).every((name) => !Object.hasOwn(other.args, name));
      if (!isApart || !joins(one.args, other.args)) return [];
      const shows = (item: Json) => [one, other].reduce((shown, each) => each.shows?.(shown) ?? shown, item);
      const keeps = (item: Json) => one.keeps(item) && other.keeps(item);
      return [{ args: { ...one.args, ...other.args }, keeps, shows }];
    }),
  );
}

/** The filters that both items have and that take several values, with the values of both. */
export function eithersOf(ones: readonly Filter[], others: readonly Filter[]): readonly Filter[] {
  return ones
    .filter(({ isList }) => isList)
    .flatMap((one) => {
      const name = Object.keys(one.args).join();
      const other = others.find(({ args }) => Object.keys(args).join() === name);
      if (other === undefined) return [];
      const args = { [name]: `${one.args[name]},${other.args[name]}` };
      return [{ args, keeps: (item: Json) => one.keeps(item) || other.keeps(item) }];
    });
}
