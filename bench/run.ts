import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { Figure, Figures, Measured } from "./kit.ts";

interface Result extends Measured {
  readonly figure: Figure;
}

/** The figures of one file, named as the file is. */
interface FigureFile {
  readonly name: string;
  readonly figures: readonly Figure[];
  /** What it leaves out, and why. */
  readonly leftOut: readonly string[];
}

const notFigures = new Set(["kit.js", "run.js"]);

/** Runs the named figures, or all, prints them and gives the exit code: a mark not reached is told, not punished. */
export async function runBench(args: readonly string[], root: string): Promise<number> {
  const { values, positionals } = parseArguments(args);
  const files = await loadFigures(root);
  const unknown = positionals.filter((name) => !files.some((file) => isAsked(file, name)));
  if (unknown.length > 0) {
    print(`no figures named ${unknown.join(", ")}; there are: ${files.map(({ name }) => name).join(", ")}`);
    // Whoever asked for a group may have meant figures that could not be declared here.
    printLeftOut(files.filter(({ figures }) => figures.length === 0));
    return 2;
  }
  printLeftOut(files.filter((file) => positionals.length === 0 || positionals.some((name) => isAsked(file, name))));
  printMachine();
  const results: Result[] = [];
  for (const figure of chosen(files, positionals)) {
    const result = { figure, ...(await figure.measure()) };
    results.push(result);
    print(formatResult(result));
  }
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results.map(toJson), null, 2)}\n`);
  return 0;
}

function parseArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { json: { type: "string" } }, allowPositionals: true });
  } catch (error) {
    print(`${error instanceof Error ? error.message : error}`);
    print("usage: npm run bench -- [names…] [--json FILE]");
    return process.exit(2);
  }
}

/** Takes the figure files from the folder's contents, so that a new one needs no entry anywhere. */
async function loadFigures(root: string): Promise<FigureFile[]> {
  const paths = readdirSync(import.meta.dirname).filter((path) => path.endsWith(".js") && !notFigures.has(path));
  const files: FigureFile[] = [];
  for (const path of paths.sort()) {
    const { figures } = (await import(pathToFileURL(join(import.meta.dirname, path)).href)) as { figures: Figures };
    const name = basename(path, ".js");
    const leftOut: string[] = [];
    const leaveOut = (reason: string) => void leftOut.push(reason);
    const declared = typeof figures === "function" ? await figures({ corpus: findCorpus(root), leaveOut }) : figures;
    files.push({ name, figures: declared, leftOut });
  }
  return files;
}

/** The set corpus, or the one that lies beside the repository. */
function findCorpus(root: string): string | undefined {
  const folder = process.env.TONGATE_CORPUS ?? join(root, "..", "shared", "data");
  return existsSync(folder) ? folder : undefined;
}

function isAsked(file: FigureFile, name: string): boolean {
  return file.name === name || file.figures.some(({ group }) => group === name);
}

function printLeftOut(files: readonly FigureFile[]): void {
  for (const { name, leftOut } of files) for (const reason of leftOut) print(`${name}: left out: ${reason}`);
}

function chosen(files: readonly FigureFile[], names: readonly string[]): Figure[] {
  return files.flatMap((file) =>
    file.figures.filter(({ group }) => names.length === 0 || names.includes(file.name) || names.includes(group)),
  );
}

function printMachine(): void {
  const [cpu] = cpus();
  const memoryGb = (totalmem() / 2 ** 30).toFixed(1);
  print(`${cpu?.model.trim() ?? "unknown cpu"}, ${cpus().length} cores, ${memoryGb} GiB, node ${process.version}`);
  print("");
  print(formatRow(["group", "figure", "value", "against", "ratio", "mark", ""]));
}

function formatResult({ figure, value, ratio }: Result): string {
  const { group, name, unit, baseline, mark } = figure;
  const verdict = mark === undefined ? "" : ratio >= mark ? "reached" : "not reached";
  return formatRow([
    group,
    name,
    `${formatNumber(value)} ${unit}`,
    baseline,
    `${formatNumber(ratio)}×`,
    mark === undefined ? "" : `${mark}×`,
    verdict,
  ]);
}

const widths = [8, 48, 20, 24, 9, 7, 0];

function formatRow(columns: readonly string[]): string {
  return columns
    .map((column, index) => column.padEnd(widths[index] ?? 0))
    .join(" ")
    .trimEnd();
}

function formatNumber(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function toJson({ figure, value, ratio }: Result) {
  const { name, unit, baseline, mark } = figure;
  return { figure: name, ratio, baseline, unit, value, mark: mark ?? null };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
