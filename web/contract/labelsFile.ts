import { formatAddress, parseAddress } from "../format/address.ts";
import { neutral } from "../format/neutral.ts";

type Labels = Readonly<Record<string, string>>;

/** Characters of a file, labels in it, and characters of a label. */
const [maxText, maxLabels, maxLabel] = [1_000_000, 5_000, 60];

/** The labels of a user as the text of a file. */
export function formatLabels(labels: Labels): string {
  const entries = Object.entries(labels).map(([address, label]) => [formatAddress(address), label]);
  return `${JSON.stringify({ "tongate-labels": 1, labels: Object.fromEntries(entries) }, null, 2)}\n`;
}

/** The labels of such a file by raw address; a text says what is wrong with it. */
export function parseLabels(text: string): Labels | string {
  if (text.length > maxText) return "The file is too large for a list of labels.";
  const { "tongate-labels": version, labels } = Object(readJson(text)) as Readonly<Record<string, unknown>>;
  if (version !== 1 || typeof labels !== "object" || labels === null || Array.isArray(labels))
    return "This is not a file of labels.";
  const entries = Object.entries(labels);
  if (entries.length > maxLabels) return `The file has more than ${maxLabels} labels.`;
  const read: [address: string, label: string][] = [];
  for (const [given, label] of entries) {
    const address = parseAddress(given);
    const shown = neutral(given).slice(0, 70);
    if (address === undefined) return `${shown} is not an address.`;
    const clean = typeof label === "string" ? neutral(label).trim() : "";
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
    if (clean === "" || clean.length > maxLabel || /[\u0000-\u001f\u007f-\u009f]/.test(clean))
      return `The label of ${shown} is not a text of 1 to ${maxLabel} characters in one line.`;
    read.push([address, clean]);
  }
  return Object.fromEntries(read);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
