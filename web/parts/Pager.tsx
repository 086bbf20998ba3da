interface Props {
  readonly offset: number;
  readonly size: number;
  /** Number of items on the page; fewer than its size means the end. */
  readonly count: number;
  readonly onMove: (offset: number) => void;
}

/** Steps through a long list. */
export function Pager({ offset, size, count, onMove }: Props) {
  if (offset === 0 && count < size) return null;
  return (
    <nav class="pager" aria-label="Pages of the list">
      <button type="button" disabled={offset === 0} onClick={() => onMove(Math.max(0, offset - size))}>
        Previous
      </button>
      <span class="muted number">
        {offset + 1} to {offset + count}
      </span>
      <button type="button" disabled={count < size} onClick={() => onMove(offset + size)}>
        Next
      </button>
    </nav>
  );
}
