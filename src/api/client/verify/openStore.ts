import type { TrustOptions, TrustStore } from "./TrustOptions.ts";

/** Opens the store of a client; a browser keeps a block for each network. */
export function openStore(store: TrustOptions["store"], network: string): TrustStore {
  if (store === undefined || store === "memory") return openMemory();
  if (store === "localStorage") return openLocalStorage(`tongate-trusted:${network}`);
  return "file" in store ? openFile(store.file) : store;
}

function openMemory(): TrustStore {
  let kept: string | undefined;
  return {
    load: () => kept,
    save: (text) => {
      kept = text;
    },
  };
}

function openLocalStorage(key: string): TrustStore {
  const { localStorage } = globalThis as unknown as {
    readonly localStorage: { getItem(key: string): string | null; setItem(key: string, value: string): void };
  };
  return { load: () => localStorage.getItem(key) ?? undefined, save: (text) => localStorage.setItem(key, text) };
}

/** The text is written aside and renamed: a process that is killed leaves the old one or the new one. */
function openFile(path: string): TrustStore {
  return {
    load: async () => {
      const { readFile } = await import("node:fs/promises");
      return readFile(path, "utf8").catch((error: unknown) => {
        if (Object(error).code === "ENOENT") return undefined;
        throw error;
      });
    },
    save: async (text) => {
      const { rename, writeFile } = await import("node:fs/promises");
      await writeFile(`${path}.new`, text);
      await rename(`${path}.new`, path);
    },
  };
}
