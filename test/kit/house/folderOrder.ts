import { dirname } from "node:path/posix";
import { findCycles } from "./cycles.ts";

/** The folders of a room, lowest first; folders of one place do not import each other. `.` is the room's own files. */
export type FolderOrder = readonly (readonly string[])[];

/** Folders of one room, from the root of the repository, of which the first imports the second. */
interface FolderImport {
  readonly room: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

interface ImportingFile {
  readonly path: string;
  /** Paths of the imported files, from the root of the repository. */
  readonly targets: readonly string[];
}

const row = /^\| *\d* *\| `([\w]+)` *\| (`.*`) *\|$/gm;

/** Reads the orders of the rooms from the table in ARCHITECTURE.md: `` `.` < `tl` < `adnl`, `server` ``. */
export function parseFolderOrders(architecture: string): ReadonlyMap<string, FolderOrder> {
  const read = (text: string) =>
    text.split(" < ").map((place) => [...place.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
  return new Map([...architecture.matchAll(row)].map(([, room = "", text = ""]) => [room, read(text)]));
}

/** The room of a path, from the root of the repository: `src/lite`, `web`. */
export function roomOf(path: string): string {
  return path
    .split("/")
    .slice(0, path.startsWith("src/") ? 2 : 1)
    .join("/");
}

/**
 * Imports that break the order of folders: a folder imports itself and those before it. A folder that the order does
 * not name has the place of the nearest folder around it. Between folders of one place
 * there are no cycles.
 */
export function findOrderBreaches(
  files: readonly ImportingFile[],
  orders: ReadonlyMap<string, FolderOrder>,
): { readonly file: string; readonly detail: string }[] {
  const orderOf = (room: string) => orders.get(room.replace("src/", ""));
  const imports = files.flatMap(listFolderImports).filter(({ room }) => orderOf(room) !== undefined);
  const upwards = imports.filter(({ room, from, to }) => {
    const order = orderOf(room) ?? [];
    return !isBefore(findPlace(order, room, to), findPlace(order, room, from));
  });
  const graph = new Map<string, string[]>();
  for (const { from, to } of imports) graph.set(from, [...(graph.get(from) ?? []), to]);
  return [
    ...upwards.map(({ file, from, to }) => ({ file, detail: `${from} may not import ${to}` })),
    ...findCycles(graph).map((cycle) => ({ file: cycle[0] ?? "", detail: cycle.join(" → ") })),
  ];
}

/** Folders that an order names and that have no file, and folders that have no place in the order of their room. */
export function findStrayFolders(
  paths: readonly string[],
  orders: ReadonlyMap<string, FolderOrder>,
): { readonly file: string; readonly detail: string }[] {
  const folders = new Set(paths.map((path) => dirname(path)));
  const has = (name: string) => [...folders].some((folder) => folder === name || folder.startsWith(`${name}/`));
  return [...orders].flatMap(([name, order]) => {
    const room = has(`src/${name}`) ? `src/${name}` : name;
    const missing = order.flat().filter((each) => !has(each === "." ? room : `${room}/${each}`));
    const homeless = [...folders].filter(
      (folder) => roomOf(`${folder}/`) === room && findPlace(order, room, folder) === undefined,
    );
    return [
      ...missing.map((each) => ({ file: `${room}/${each}`, detail: "is in the order of folders and does not exist" })),
      ...homeless.map((folder) => ({ file: folder, detail: "has no place in the order of folders" })),
    ];
  });
}

function listFolderImports({ path, targets }: ImportingFile): FolderImport[] {
  const room = roomOf(path);
  const from = dirname(path);
  return targets
    .filter((target) => roomOf(target) === room && dirname(target) !== from)
    .map((target) => ({ room, file: path, from, to: dirname(target) }));
}

interface Place {
  readonly name: string;
  readonly level: number;
}

function findPlace(order: FolderOrder, room: string, folder: string): Place | undefined {
  const inside = folder === room ? "." : folder.slice(room.length + 1);
  for (let name = inside; ; name = dirname(name)) {
    const level = order.findIndex((names) => names.includes(name));
    if (level !== -1) return { name, level };
    if (dirname(name) === "." || name === ".") return undefined;
  }
}

/** Whether the first may be imported from the second. */
function isBefore(to: Place | undefined, from: Place | undefined): boolean {
  return to !== undefined && from !== undefined && (to.name === from.name || to.level < from.level);
}
