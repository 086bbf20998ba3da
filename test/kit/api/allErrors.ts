import { readdirSync } from "node:fs";
import { join } from "node:path";
import { CodedError, type ErrorCode, type ErrorKind } from "../../../src/lib/errors.ts";

const source = join(import.meta.dirname, "../../../src");

/** Stands for the error class of any room. */
class AnyError extends CodedError {
  constructor(code: ErrorCode, kind: ErrorKind, message: string) {
    super(code, kind, message);
  }
}

/** One error for each code of every room. */
export async function errorsOfAllCodes(message: string): Promise<CodedError[]> {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((path) =>
    /(?:^|\/)errors\.ts$/.test(path),
  );
  const modules = await Promise.all(
    files.map((file) => import(join(source, file)) as Promise<Record<string, unknown>>),
  );
  return modules
    .flatMap((module) => Object.entries(module))
    .filter(([name]) => name.endsWith("ErrorCodes"))
    .flatMap(([, codes]) => Object.entries(codes as Readonly<Record<ErrorCode, ErrorKind>>))
    .map(([code, kind]) => new AnyError(code as ErrorCode, kind, message));
}
