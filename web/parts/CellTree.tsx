import { useMemo, useState } from "preact/hooks";
import { BagError, type Cell } from "../cells/Cell.ts";
import { parseBag } from "../cells/parseBag.ts";
import { findText, formatBits } from "../cells/Slice.ts";
import { formatCount } from "../format/coins.ts";
import { shorten } from "../format/hash.ts";
import { Copy } from "./Copy.tsx";

/** Parses a bag for display; returns the reason if it is invalid. */
export function readBag(boc: string): readonly Cell[] | string {
  try {
    return parseBag(boc);
  } catch (error) {
    if (error instanceof BagError) return error.message;
    throw error;
  }
}

/** A bag of cells as a tree that expands level by level. */
export function CellTree({ boc }: { readonly boc: string }) {
  const roots = useMemo(() => readBag(boc), [boc]);
  if (typeof roots === "string") return <p class="failure">{roots}</p>;
  return (
    <div class="cells">
      {roots.map((root, at) => (
        <CellView key={`${at} ${root.hash}`} cell={root} depth={0} />
      ))}
      <p class="line small">
        <span class="muted">As base64: {formatCount(boc.length)} characters</span>{" "}
        <Copy text={boc} what="bag of cells" />
      </p>
    </div>
  );
}

const openDepth = 2;
const maxBits = 256;

const kinds = {
  ordinary: "",
  pruned: "pruned branch",
  library: "library reference",
  proof: "Merkle proof",
  update: "Merkle update",
} as const;

function CellView({ cell, depth }: { readonly cell: Cell; readonly depth: number }) {
  const [isOpen, setOpen] = useState(depth < openDepth);
  const bits = formatBits(cell);
  const text = findText(cell);
  return (
    <details class="cell" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span class="number">{cell.bitLength} bits</span>
        {cell.refs.length > 0 && (
          <span class="number">
            , {cell.refs.length} reference{cell.refs.length === 1 ? "" : "s"}
          </span>
        )}
        {cell.kind !== "ordinary" && <span class="badge warn">{kinds[cell.kind]}</span>}
        <code class="muted" title={cell.hash}>
          {" "}
          {shorten(cell.hash, 8, 6)}
        </code>
      </summary>
      {isOpen && (
        <div class="inside">
          <code class="bits">
            {bits === "" ? "no bits" : bits.length > maxBits ? `${bits.slice(0, maxBits)}…` : bits}
          </code>
          {text !== undefined && (
            <p class="small">
              As text:{" "}
              <q>
                <bdi>{text}</bdi>
              </q>
            </p>
          )}
          {cell.refs.map((ref, at) => (
            <CellView key={`${at} ${ref.hash}`} cell={ref} depth={depth + 1} />
          ))}
        </div>
      )}
    </details>
  );
}
