import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

interface Props<Item> {
  readonly items: readonly Item[];
  /** Number of items shown at first and added with each step. */
  readonly step: number;
  readonly children: (shown: readonly Item[]) => ComponentChildren;
}

/** The start of a long list, with a button to show more. */
export function More<Item>({ items, step, children }: Props<Item>) {
  const [count, setCount] = useState(step);
  const left = items.length - count;
  return (
    <>
      {children(items.slice(0, count))}
      {left > 0 && (
        <button type="button" class="quiet" onClick={() => setCount(count + 10 * step)}>
          Show {Math.min(left, 10 * step)} more of {items.length}
        </button>
      )}
    </>
  );
}
