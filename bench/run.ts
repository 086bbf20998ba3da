import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { Benchmark, Benchmarks, Measured } from "./kit/benchmark.ts";

interface Result extends Measured {
  readonly benchmark: Benchmark;
}

/** The benchmarks of one file, with the name of the file. */
interface BenchmarkFile {
  readonly name: string;
  readonly benchmarks: readonly Benchmark[];
  /** Skipped benchmarks, with the reason. */
  readonly leftOut: readonly string[];
}

const notBenchmarks = new Set(["kit.js", "run.js"]);

/** Runs the named benchmarks, or all, prints them and returns the exit code; a missed target does not fail the run. */
export async function runBench(args: readonly string[], root: string): Promise<number> {
  const { values, positionals } = parseArguments(args);
  const files = await loadBenchmarks(root);
  const unknown = positionals.filter((name) => !files.some((file) => isAsked(file, name)));
  if (unknown.length > 0) {
    print(`no benchmarks named ${unknown.join(", ")}; use one of: ${files.map(({ name }) => name).join(", ")}`);
    // The name may belong to benchmarks that were skipped.
    printLeftOut(files.filter(({ benchmarks }) => benchmarks.length === 0));
    return 2;
  }
  printLeftOut(files.filter((file) => positionals.length === 0 || positionals.some((name) => isAsked(file, name))));
  printMachine();
  const results: Result[] = [];
  for (const benchmark of chosen(files, positionals)) {
    const result = { benchmark, ...(await benchmark.measure()) };
    results.push(result);
    print(formatResult(result));
  }
  printTable(results);
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

/** Finds the benchmark files by the folder's contents, so that a new one needs no registration. */
async function loadBenchmarks(root: string): Promise<BenchmarkFile[]> {
  const paths = readdirSync(import.meta.dirname).filter((path) => path.endsWith(".js") && !notBenchmarks.has(path));
  const files: BenchmarkFile[] = [];
  for (const path of paths.sort()) {
    const { benchmarks } = (await import(pathToFileURL(join(import.meta.dirname, path)).href)) as {
      benchmarks: Benchmarks;
    };
    const name = basename(path, ".js");
    const leftOut: string[] = [];
    const leaveOut = (reason: string) => void leftOut.push(reason);
    const declared =
      typeof benchmarks === "function" ? await benchmarks({ corpus: findCorpus(root), leaveOut }) : benchmarks;
    files.push({ name, benchmarks: declared, leftOut });
  }
  return files;
}

/** The configured corpus, or the one next to the repository. */
function findCorpus(root: string): string | undefined {
  const folder = process.env.TONGATE_CORPUS ?? join(root, "..", "shared", "data");
  return existsSync(folder) ? folder : undefined;
}

function isAsked(file: BenchmarkFile, name: string): boolean {
  return file.name === name || file.benchmarks.some(({ group }) => group === name);
}

function printLeftOut(files: readonly BenchmarkFile[]): void {
  for (const { name, leftOut } of files) for (const reason of leftOut) print(`${name}: skipped: ${reason}`);
}

function chosen(files: readonly BenchmarkFile[], names: readonly string[]): Benchmark[] {
  return files.flatMap((file) =>
    file.benchmarks.filter(({ group }) => names.length === 0 || names.includes(file.name) || names.includes(group)),
  );
}

function printMachine(): void {
  const [cpu] = cpus();
  const memoryGb = (totalmem() / 2 ** 30).toFixed(1);
  print(`${cpu?.model.trim() ?? "unknown cpu"}, ${cpus().length} cores, ${memoryGb} GiB, node ${process.version}`);
  print("");
  print(formatRow(["group", "benchmark", "value", "against", "ratio", "mark", ""]));
}

/** The results that documents show, as their Markdown. */
function printTable(results: readonly Result[]): void {
  const cells = results.flatMap(({ benchmark: { cell }, value, ratio }) =>
    cell === undefined ? [] : [{ ...cell, text: cell.format(value, ratio) }],
  );
  if (cells.length === 0) return;
  const columns = [...new Set(cells.map(({ column }) => column))];
  const rows = [...new Set(cells.map(({ row }) => row))];
  const textOf = (row: string, column: string) =>
    cells.find((cell) => cell.row === row && cell.column === column)?.text ?? "";
  const lines = [
    ["operation", ...columns],
    ["---", ...columns.map(() => "---")],
  ];
  for (const row of rows) lines.push([`\`${row}\``, ...columns.map((column) => textOf(row, column))]);
  print("");
  for (const line of lines) print(`| ${line.join(" | ")} |`);
}

function formatResult({ benchmark, value, ratio }: Result): string {
  const { group, name, unit, baseline, mark } = benchmark;
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

function toJson({ benchmark, value, ratio }: Result) {
  const { name, unit, baseline, mark } = benchmark;
  return { benchmark: name, ratio, baseline, unit, value, mark: mark ?? null };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
