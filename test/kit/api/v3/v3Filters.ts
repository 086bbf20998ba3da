import type { Json, JsonList } from "../demoStage.ts";

export type Args = Readonly<Record<string, string>>;

/** Sends a v3 request and returns the whole answer. */
export type AskV3 = (path: string, args: Args) => Promise<Json>;

/** A request with a filter, and a predicate for the items of the whole list that it must return. */
export interface Filter {
  readonly args: Args;
  readonly keeps: (item: Json) => boolean;
  /** How an item looks under the filter, if different. */
  readonly shows?: (item: Json) => Json;
  /** Whether several values may be given; an item must match any of them. */
  readonly isList?: boolean;
}

/** A v3 list and the filters that can be built from its own items. */
export interface FilteredList {
  readonly path: string;
  readonly key: string;
  /** Sent with every request, so that items contain all filtered values. */
  readonly always?: Args;
  /** Requests that together return all items, if the list requires a filter. */
  readonly whole?: (accounts: readonly string[]) => readonly Args[];
  readonly filters: (item: Json, ask: AskV3) => readonly Filter[] | Promise<readonly Filter[]>;
  /** Whether two filters can be combined; defaults to true. */
  readonly joins?: (one: Args, other: Args) => boolean;
}

const partSize = 500;

/** Other tests compare the address book and the metadata. */
const bare = { x_no_address_book: "1", x_no_metadata: "1" };

async function askPart(ask: AskV3, list: FilteredList, args: Args, offset: number): Promise<JsonList> {
  const place = { limit: String(partSize), offset: String(offset) };
  const answer = await ask(list.path, { ...list.always, ...bare, ...args, ...place });
  const part = answer[list.key] as JsonList | undefined;
  if (part === undefined) throw new Error(`${list.path} ${JSON.stringify(args)}: ${JSON.stringify(answer)}`);
  return part;
}

/** All items of a filtered list, page by page. */
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
  const requests = list.whole(richest.map(({ account }) => String(account)));
  const jsons = new Map<string, Json>();
  for (const args of requests)
    for (const item of await walkList(ask, list, args)) jsons.set(JSON.stringify(item), item);
  return [...jsons.values()];
}

/** A sample of the items: the first, the last and a few between. */
export function sampleOf(items: JsonList, count: number): JsonList {
  const step = Math.max(1, Math.floor((items.length - 1) / (count - 1)));
  return items.filter((_, place) => place % step === 0);
}

/** Items as sorted texts, to compare lists without their order. */
export function inAnyOrder(items: JsonList): readonly string[] {
  return items.map((item) => JSON.stringify(item)).sort();
}

/** The items of the whole list that pass a filter, as they look under it. */
export function letThrough(all: JsonList, { keeps, shows = (item) => item }: Filter): JsonList {
  return all.filter(keeps).map(shows);
}

/** All pairs of filters that can be combined, each as one filter. */
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

/** The multi-value filters that two items share, with the values of both. */
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
