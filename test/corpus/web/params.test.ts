import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readBytes, readJson } from "../../../kit/suite/corpus.ts";
import { asList, asRecord, asText } from "../../../kit/suite/record.ts";
import type { Cell } from "../../../web/cells/Cell.ts";
import { parseBag } from "../../../web/cells/parseBag.ts";
import { formatCoins, formatCount } from "../../../web/format/coins.ts";
import { formatMoment } from "../../../web/format/time.ts";
import { paramKinds } from "../../../web/pages/config/paramKinds.ts";
import { listParams, type Param } from "../../../web/pages/config/params.ts";

/** The cell with this hash in a bag, which may be a proof of it. */
function findCell(roots: readonly Cell[], hash: string): Cell {
  const waiting = [...roots];
  for (let cell = waiting.pop(); cell !== undefined; cell = waiting.pop()) {
    if (cell.hash === hash) return cell;
    waiting.push(...cell.refs);
  }
  throw new Error(`no cell ${hash}`);
}

/** The parameters of a recorded configuration as the explorer decodes them. */
function decodeAll(folder: string, path: string): Param[] {
  const { config_root_hash: root } = asRecord(readJson(folder, path));
  const bag = Buffer.from(readBytes(folder, path.replace(".expected.json", ".boc"))).toString("base64");
  return listParams(findCell(parseBag(bag), asText(root).toLowerCase()));
}

/** Words about a value, and what another field says too. */
const wordKeys = new Set(["id", "format", "label", "index", "kind", "externalChain", "codeHash"]);

/** The values of a parameter in another project's words, in order. */
function listValues(value: unknown, key = ""): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => listValues(each));
  if (typeof value !== "object" || value === null) return wordKeys.has(key) ? [] : [value];
  return Object.entries(value).flatMap(([name, each]) => listValues(each, name));
}

/** The ways in which the explorer may show a value. */
function spell(value: unknown): string[] {
  if (typeof value === "boolean") return [value ? "yes" : "no"];
  const text = String(value);
  const hex = /^(?:-?\d+:|0x)?([0-9a-f]{40,64})$/i.exec(text)?.[1]?.toLowerCase().padStart(64, "0");
  if (hex !== undefined) return [hex];
  if (!/^-?\d+$/.test(text)) throw new Error(`no form is known for ${text}`);
  return [text, formatCount(text), `${formatCoins(text)} TON`, formatMoment(Number(text))];
}

/** The values of a plain list of fields come in the order of the cell; other forms have an order of their own. */
function checkValues({ id, fields }: Param, other: Readonly<Record<string, unknown>>): void {
  const values = listValues(other);
  const isPlain = "configurationValues" in other && !JSON.stringify(other).includes('"children"');
  if (isPlain) {
    // The other project leaves out flags without a meaning.
    const shown = fields.filter(([name]) => name !== "flags").map(([, value]) => value);
    expect(shown.length, `parameter ${id}`).toBe(values.length);
    for (const [at, value] of values.entries()) expect(spell(value), `parameter ${id}`).toContain(shown[at]);
    return;
  }
  const text = ` ${fields.flat().join(" ").replaceAll(/[_,:]/g, " ")} `;
  const missing = values.filter(
    (value) => !spell(value).some((form) => text.includes(` ${form.replaceAll(":", " ")} `)),
  );
  expect(missing, `parameter ${id}`).toEqual([]);
}

/** The first token bridge of the test network had a form without a tag that the scheme does not have any more. */
function isInScheme({ id, cell }: Param): boolean {
  return id in paramKinds && !(id === 79 && (cell.bytes[0] ?? 0) > 1);
}

describeCorpusPart("configuration parameters of the explorer", "config/", (folder) => {
  it.each(listFiles(folder, "config", ".expected.json"))("are decoded whole in %s", (path) => {
    const known = decodeAll(folder, path).filter(isInScheme);
    expect(known.length).toBeGreaterThan(20);
    for (const { id, fields } of known) {
      expect(fields.length, `parameter ${id}`).toBeGreaterThan(0);
      expect(fields.flat().join(" "), `parameter ${id}`).not.toMatch(/not.decoded/);
    }
  });

  const printed = listFiles(folder, "config", ".parsed.json").filter(
    (path) => "parameters" in asRecord(readJson(folder, path)),
  );
  it.each(printed)("have the values of %s", (path) => {
    const decoded = decodeAll(folder, path.replace(".parsed.json", ".expected.json"));
    const others = asList(asRecord(readJson(folder, path)).parameters).map(asRecord);
    for (const param of decoded.filter(isInScheme)) {
      const other = others.find(({ id }) => id === param.id);
      expect(other, `parameter ${param.id}`).toBeDefined();
      checkValues(param, other ?? {});
    }
  });
});
