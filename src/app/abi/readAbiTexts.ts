import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { findCompiledHash, isCompilerAbi } from "../../contracts/abi/files/readAbiFile.ts";
import { isCoded } from "../../lib/errors.ts";
import type { Hash } from "../../model/Hash.ts";
import { AppError } from "../errors.ts";

/** A file that should be an ABI. */
export interface AbiText {
  readonly path: string;
  readonly text: string;
  /** The hash of the code that Blueprint compiled to the same name. */
  readonly codeHash: Hash | undefined;
}

/** Files of a folder that are looked at. */
const maxFiles = 10_000;

/**
 * A file, or the ABIs of a folder with the hashes of their codes: a build folder, or the folder of wrappers, beside
 * which Blueprint has the build folder.
 */
export function readAbiTexts(path: string): readonly AbiText[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new AppError("app/usage", `${path} does not exist`);
  if (!stat.isDirectory()) return [{ path, text: readFileSync(path, "utf8"), codeHash: undefined }];
  const own = listFiles(path);
  const build = join(dirname(join(path, ".")), "build");
  const isWrappers = own.some((file) => file.endsWith(".compile.ts"));
  const files = isWrappers && statSync(build, { throwIfNoEntry: false }) ? [...own, ...listFiles(build)] : own;
  const compiled = new Map(
    files
      .filter((file) => file.endsWith(".compiled.json"))
      .flatMap((file) => {
        const hash = naming(file, () => findCompiledHash(readFileSync(file, "utf8")));
        return hash === undefined ? [] : [[basename(file, ".compiled.json").toLowerCase(), hash] as const];
      }),
  );
  return files.flatMap((file) => {
    const isNamed = /\.abi(?:\.json)?$/.test(file);
    if (!isNamed && (!file.endsWith(".json") || file.endsWith(".compiled.json"))) return [];
    const text = readFileSync(file, "utf8");
    // The folder has other JSON, too; what calls itself an ABI must be one.
    if (!isNamed && !isCompilerAbi(text)) return [];
    return { path: file, text, codeHash: contractsOf(file).flatMap((name) => compiled.get(name) ?? [])[0] };
  });
}

function listFiles(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
    .filter((file) => !file.split(sep).includes("node_modules"));
  if (names.length > maxFiles)
    throw new AppError("app/usage", `${folder} has more than ${maxFiles} files; give the build folder of one project`);
  return names.toSorted();
}

/** Tact names its files `Project_Contract.abi`; Blueprint compiles a contract to `Contract.compiled.json`. */
function contractsOf(file: string): readonly string[] {
  const name = basename(file)
    .replace(/(?:\.abi)?(?:\.json)?$/, "")
    .toLowerCase();
  return [name, name.replace(/^.*_/, "")];
}

/** Refusals of a file name it. */
export function naming<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isCoded(error) || !error.code.startsWith("abi/")) throw error;
    throw new AppError("app/usage", `${path}: ${error.message} (${error.code})`, { cause: error });
  }
}
