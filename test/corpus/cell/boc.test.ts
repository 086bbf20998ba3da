import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readBytes, readJson, readJsonLinesGz } from "../../../kit/suite/corpus.ts";
import { crcForm, readBoc, readRoot, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { fromBase64, toBase64 } from "../../../src/lib/bytes.ts";
import { formOf, listBags, listCells } from "../../kit/cell/bags.ts";
import { readLeadingBoc } from "../../kit/cell/readLeadingBoc.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

interface Vector {
  readonly provenance: string;
  readonly kind: string;
  readonly roots: number;
  readonly boc: string;
  readonly expected: {
    readonly root_representation_hash: string;
    readonly root_hash_level0: string;
    readonly depth: number;
    readonly level: number;
    readonly distinct_cells: number;
    readonly total_bits: number;
  };
}

function describeRoot(root: Cell): Vector["expected"] {
  const cells = new Map(listCells([root]).map((cell) => [cell.hash(), cell]));
  return {
    root_representation_hash: root.hash().toUpperCase(),
    root_hash_level0: root.hash(0).toUpperCase(),
    depth: root.depth(),
    level: root.level,
    distinct_cells: cells.size,
    total_bits: [...cells.values()].reduce((sum, { bitLength }) => sum + bitLength, 0),
  };
}

describeCorpusPart("bags of cells with known hashes", "cells/boc-vectors.json", (folder) => {
  const { valid } = readJson(folder, "cells/boc-vectors.json") as { valid: readonly Vector[] };

  it.each(valid.map((vector, i) => [i, vector.provenance, vector.kind, vector] as const))(
    "vector %i of %s (%s) has the expected hashes, depth, level and cells",
    (_i, _provenance, _kind, { boc, roots: count, expected }) => {
      // One vector has trailing bytes, which `readBoc` rejects.
      const roots = readLeadingBoc(fromBase64(boc));
      expect(roots.length).toBe(count);
      expect(describeRoot(roots[0] as Cell)).toEqual(expected);
    },
  );
});

describeCorpusPart("malformed bags of cells", "cells/boc-malformed.json", (folder) => {
  const { must_fail: malformed } = readJson(folder, "cells/boc-malformed.json") as {
    must_fail: readonly { readonly name: string; readonly boc: string }[];
  };

  it.each(malformed.map(({ name, boc }) => [name, boc]))("a malformed bag is refused: %s", (_name, boc) => {
    expect(refusalCode(() => readBoc(fromBase64(boc)))).toMatch(/^cell\//);
  });
});

describeCorpusPart("bags of cells as a service writes them", "cells/boc-serialization-order.json", (folder) => {
  const { cases } = readJson(folder, "cells/boc-serialization-order.json") as {
    cases: readonly { readonly hash_base64: string; readonly cells: number; readonly boc: string }[];
  };

  it.each(cases.map((each) => [each.hash_base64, each]))("%s is written like by the public service", (hash, each) => {
    const root = readRoot(fromBase64(each.boc));
    expect(Buffer.from(root.hashBytes()).toString("base64")).toBe(hash);
    expect(listCells([root]).length).toBe(each.cells);
    expect(toBase64(writeBoc(root, crcForm))).toBe(each.boc);
  });
});

/** Only nodes write an index with cache bits, for blocks and states. */
function isFromNode(bytes: Uint8Array): boolean {
  return formOf(bytes).cacheBits === true;
}

describeCorpusPart("bag files", "blocks/*.boc", (folder) => {
  const files = listFiles(folder, ".", ".boc").map((path) => ({ path, bytes: readBytes(folder, path) }));

  it.each(files.filter(({ bytes }) => isFromNode(bytes)))("$path is written like by its node", ({ bytes }) => {
    expect(writeBoc(readBoc(bytes), formOf(bytes)).equals(bytes)).toBe(true);
  });

  // Files without an index come from other tools (configurations cut out of states, the local block 1), which may order
  // cells differently: the bytes may differ, everything else must be equal.
  it.each(files.filter(({ bytes }) => !isFromNode(bytes)))("$path is the same when written again", ({ bytes }) => {
    const roots = readBoc(bytes);
    const written = writeBoc(roots, formOf(bytes));
    expect(written.length).toBe(bytes.length);
    expect(readBoc(written).map((root) => root.hash())).toEqual(roots.map((root) => root.hash()));
  });
});

/** Whether the path holds an unchanged answer of a public service or a node. */
function isFromService(path: string): boolean {
  if (/^realnet[^/]*\/(v2|tonlib)\//.test(path)) return path.includes("/response/");
  return /^(transactions|replays\/single|api-v3)\//.test(path) && /\/(message_content|init_state)\/body$/.test(path);
}

describeCorpusPart("bags in JSON files", "cells/*.json", (folder) => {
  const lines = listFiles(folder, ".", ".jsonl.gz");
  const files = [...listFiles(folder, ".", ".json"), ...lines].filter((path) => path !== "cells/boc-malformed.json");
  const read = (path: string) => (lines.includes(path) ? readJsonLinesGz(folder, path) : readJson(folder, path));

  it("are read, hashed and written again, in the same bytes if a service wrote them", () => {
    const count = { all: 0, fromServices: 0 };
    // Most bags occur in several files; each is checked once.
    const known = new Set<string>();
    for (const file of files) {
      for (const { path, bytes } of listBags(read(file), file)) {
        const key = `${isFromService(path)} ${createHash("sha256").update(bytes).digest("base64")}`;
        if (known.has(key)) continue;
        known.add(key);
        const roots = readLeadingBoc(bytes);
        const written = writeBoc(roots, formOf(bytes));
        expect(hashesOf(readBoc(written)), path).toEqual(hashesOf(roots));
        count.all++;
        if (!isFromService(path) || writesLevels(roots)) continue;
        expect(written.equals(bytes), path).toBe(true);
        count.fromServices++;
      }
    }
    process.stdout.write(`bags in JSON files: ${count.all}, written by services: ${count.fromServices}\n`);
    expect(count.all).toBeGreaterThan(0);
  });
});

function hashesOf(roots: readonly Cell[]): string[] {
  return roots.map((root) => root.hash());
}

/** Whether some writers encode a cell differently than nodes: its level instead of its mask. */
function writesLevels(roots: readonly Cell[]): boolean {
  return listCells(roots).some(({ level, levelMask }) => level !== levelMask);
}
