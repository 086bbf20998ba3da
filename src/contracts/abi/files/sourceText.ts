/** A file of a source. */
export interface SourceFile {
  readonly name: string;
  readonly text: string;
}

/** The name of a source that is one file. */
const onlyName = "main.tolk";
/** Files of one text begin with such a line. */
const fileLine = /^\/\/ file: (\S.*)\n/gm;
const maxFiles = 100;

/** Several files as one text, the one that is compiled first. */
export function joinSources(files: readonly SourceFile[]): string {
  const [only, ...others] = files;
  if (only !== undefined && others.length === 0) return only.text;
  return files.map(({ name, text }) => `// file: ${name}\n${text.endsWith("\n") ? text : `${text}\n`}`).join("");
}

/** The files of a text; `undefined` when there are too many. */
export function findSourceFiles(text: string): readonly SourceFile[] | undefined {
  const [before = "", ...parts] = text.split(fileLine);
  if (parts.length === 0) return [{ name: onlyName, text }];
  if (parts.length > 2 * maxFiles) return undefined;
  const files = parts.flatMap((name, at) => (at % 2 === 0 ? { name: name.trim(), text: parts[at + 1] ?? "" } : []));
  return before.trim() === "" ? files : [{ name: onlyName, text: before }, ...files];
}

/** A line of a source, counted from one. */
export interface SourceLine {
  readonly file: string;
  readonly line: number;
}

/** A line as `FILE:LINE`. */
export function findSourceLine(text: string): SourceLine | undefined {
  const [, file, line] = /^\s*(.*\S):(\d{1,9})\s*$/.exec(text) ?? [];
  return file === undefined ? undefined : { file, line: Number(line) };
}
