import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { fold } from "./fold.ts";
import type { ActionGroups } from "./groups.ts";
import type { TransactionNode } from "./model.ts";
import { NodeShape } from "./NodeShape.tsx";
import { fitScale, neighbour, nodeWidth, placeAll, type Spot, widestColumn } from "./spots.ts";

interface Props {
  readonly root: TransactionNode;
  /** The transaction of the page. */
  readonly marked?: string;
  readonly groups: ActionGroups;
  readonly onSelect: (node: TransactionNode) => void;
}

const margin = 42;
/** The room around the picture in its frame, on both sides. */
const padding = 12;
/** Nodes further than this outside the window are not drawn. */
const beyond = 400;

/** The diagram of a trace: transactions are nodes, messages are edges, time runs to the right. */
export function TraceTree({ root, marked, groups, onSelect }: Props) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState(marked ?? root.id);
  const spots = useMemo(() => placeAll(fold(root, opened)), [root, opened]);
  const frame = useRef<HTMLDivElement>(null);
  /** Whether an arrow key has just chosen the focused node. */
  const walked = useRef(false);
  const view = useView(frame);
  const width = margin + Math.max(...spots.map(({ x }) => x)) + nodeWidth + margin / 2;
  const scale = fitScale(width, view.width - padding);
  const height = Math.max(...spots.map(({ y, node }) => y + node.height / 2)) + 12;
  useReveal(frame, spots, marked ?? root.id, scale);
  const choose = ({ node }: Spot) => {
    setFocused(node.id);
    if (node.kind === "fold") setOpened(new Set([...opened, node.id]));
    else if (node.kind === "transaction") onSelect(node);
  };
  const move = (event: KeyboardEvent) => {
    const from = spots.find(({ node }) => node.id === focused) ?? spots[0];
    const to = from === undefined ? undefined : neighbour(spots, from, event.key);
    if (to === undefined) return;
    event.preventDefault();
    walked.current = true;
    setFocused(to.node.id);
    frame.current?.scrollTo({ left: to.x * scale - 200, top: to.y * scale - 150 });
  };
  // Before the next event, because a key that finds no focused node is lost.
  useLayoutEffect(() => {
    if (walked.current) frame.current?.querySelector<SVGGElement>('[tabindex="0"]')?.focus({ preventScroll: true });
    walked.current = false;
  }, [focused]);
  // The focused node is always drawn, so that the keyboard has a place wherever the window is.
  const seen = spots.filter(({ x, y, node }) => node.id === focused || isSeen(view, (x + margin) * scale, y * scale));
  return (
    <div class="picture" ref={frame}>
      <svg
        width={width * scale}
        height={height * scale}
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label={`Trace of ${spots.length} nodes; arrow keys walk it`}
        onKeyDown={move}
      >
        {seen.map((spot) => (
          <NodeShape
            key={spot.node.id}
            spot={spot}
            margin={margin}
            isMarked={spot.node.id === marked}
            isFocusable={spot.node.id === focused}
            group={groups.of.get(spot.node.id)}
            onChoose={() => choose(spot)}
          />
        ))}
      </svg>
    </div>
  );
}

interface View {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

function isSeen({ left, top, width, height }: View, x: number, y: number): boolean {
  const isAcross = x > left - widestColumn - beyond && x < left + width + widestColumn;
  return isAcross && y > top - beyond && y < top + height + beyond;
}

/** The visible part of the diagram. */
function useView(frame: { readonly current: HTMLDivElement | null }): View {
  const [view, setView] = useState<View>({ left: 0, top: 0, width: 1_600, height: 1_000 });
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const update = () => {
      const { scrollLeft, scrollTop, clientWidth, clientHeight } = element;
      setView({ left: scrollLeft, top: scrollTop, width: clientWidth, height: clientHeight });
    };
    update();
    element.addEventListener("scroll", update, { passive: true });
    addEventListener("resize", update);
    return () => {
      element.removeEventListener("scroll", update);
      removeEventListener("resize", update);
    };
  }, [frame]);
  return view;
}

/** Scrolls to the marked node, or to the first one, once. */
function useReveal(
  frame: { readonly current: HTMLDivElement | null },
  spots: readonly Spot[],
  id: string | undefined,
  scale: number,
) {
  const done = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (id === undefined || done.current === id) return;
    const spot = spots.find(({ node }) => node.id === id);
    if (spot === undefined) return;
    done.current = id;
    frame.current?.scrollTo({ left: spot.x * scale - 250, top: spot.y * scale - 150 });
  }, [frame, spots, id, scale]);
}
