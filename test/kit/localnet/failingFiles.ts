import { type FileSystem, storageError, systemFiles } from "../../../src/lib/files/FileSystem.ts";

/** The system's files, of which writing can be made to fail. */
export function failingFiles(): FileSystem & { reason: string | undefined } {
  const files = {
    ...systemFiles,
    reason: undefined as string | undefined,
    open: (path: string, flags: "r" | "r+" | "w") => {
      const real = systemFiles.open(path, flags);
      const refuse = (): void => {
        if (files.reason === undefined) return;
        const cause = Object.assign(new Error("failed"), { code: files.reason, syscall: "write" });
        throw storageError("write", path, cause);
      };
      return {
        ...real,
        write: (...args: Parameters<typeof real.write>) => {
          refuse();
          return real.write(...args);
        },
        writeLater: async (...args: Parameters<typeof real.writeLater>) => {
          refuse();
          return real.writeLater(...args);
        },
      };
    },
  };
  return files;
}
