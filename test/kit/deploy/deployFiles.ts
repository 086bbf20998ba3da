import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";

export const root = join(import.meta.dirname, "../../..");

/** The texts of all files in `deploy/`, by relative path. */
export function readDeployFiles(): ReadonlyMap<string, string> {
  const folder = join(root, "deploy");
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

type Json = Readonly<Record<string, unknown>>;

/** Parses the documents of a YAML file; throws on any error, including duplicate keys. */
export function parseYaml(text: string): Json[] {
  return [...parseAllDocuments(text, { merge: true, strict: true, uniqueKeys: true })].map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return Object(document.toJS());
  });
}

/** Every object inside a value, including the value itself. */
export function listObjects(value: unknown): Json[] {
  if (typeof value !== "object" || value === null) return [];
  return [Object(value), ...Object.values(value).flatMap(listObjects)];
}

/** Arguments and environment of a compose or Kubernetes container. */
export interface Container {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** The containers in a file that run the Tongate image. */
export function listContainers(text: string): Container[] {
  return parseYaml(text)
    .flatMap(listObjects)
    .filter(({ image }) => typeof image === "string" && /^tongate(?::|$)/.test(image))
    .map(({ command, args, environment, env }) => ({
      args: [...((command ?? args ?? ["serve"]) as string[])],
      environment: readEnvironment(environment ?? env),
    }));
}

function readEnvironment(given: unknown): Record<string, string> {
  const entries = Array.isArray(given)
    ? given.map((each) => [String(Object(each).name), String(Object(each).value)])
    : Object.entries(Object(given)).map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(entries);
}

/** One instruction of a Dockerfile, with continued lines joined. */
export interface Instruction {
  readonly word: string;
  readonly rest: string;
}

export function parseDockerfile(text: string): Instruction[] {
  const lines = text
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .join("\n")
    .replace(/\\\n\s*/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const [, word = "", rest = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (word === "") throw new Error(`not an instruction: ${line}`);
    return { word, rest };
  });
}
