/** Settings of this browser. Storage may be unavailable (private windows): then they last as long as the page. */

const fallback = new Map<string, string>();

function read(storage: "session" | "local", name: string): string {
  try {
    return pick(storage).getItem(name) ?? "";
  } catch {
    return fallback.get(name) ?? "";
  }
}

function write(storage: "session" | "local", name: string, value: string): void {
  fallback.set(name, value);
  try {
    pick(storage).setItem(name, value);
  } catch {
    // Only the value in memory is left then.
  }
}

interface TextStorage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
}

/**
 * Read from the global object, so that what needs names of accounts also works where there is no storage, as in tests.
 */
function pick(storage: "session" | "local"): TextStorage {
  const { sessionStorage, localStorage } = globalThis as unknown as Readonly<
    Record<"sessionStorage" | "localStorage", TextStorage>
  >;
  return storage === "session" ? sessionStorage : localStorage;
}

const keyName = "tongate.api-key";
const themeName = "tongate.theme";
const labelsName = "tongate.labels";

/** The API key of requests; empty if there is none. It lasts as long as the tab. */
export const apiKey = (): string => read("session", keyName);
export const setApiKey = (key: string): void => write("session", keyName, key.trim());

export type Theme = "auto" | "light" | "dark";

export function theme(): Theme {
  const value = read("local", themeName);
  return value === "light" || value === "dark" ? value : "auto";
}

export const keepTheme = (value: Theme): void => write("local", themeName, value);

/** Labels that the user gave to addresses, by raw address. */
export function labels(): Readonly<Record<string, string>> {
  try {
    return Object(JSON.parse(read("local", labelsName) || "{}"));
  } catch {
    return {};
  }
}

export function setLabel(address: string, label: string): void {
  const { [address]: _former, ...others } = labels();
  const text = label.trim().slice(0, 60);
  write("local", labelsName, JSON.stringify(text === "" ? others : { ...others, [address]: text }));
}

/** Adds labels, by raw address; an address that has one gets the new one. */
export function addLabels(added: Readonly<Record<string, string>>): void {
  write("local", labelsName, JSON.stringify({ ...labels(), ...added }));
}
