import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Ask } from "../../api/ask.ts";
import { useAsk } from "../../api/useAsk.ts";
import { Pager } from "../../parts/Pager.tsx";
import { Await, Empty, Panel } from "../../parts/Panel.tsx";
import { columnClass, columnName, Table } from "../../parts/Table.tsx";

/** Items of a page. */
export const size = 25;

interface TableProps {
  readonly title: string;
  /** As in `Table`. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly [key: string, ...cells: ComponentChildren[]])[];
}

export function Rows({ title, columns, rows }: TableProps) {
  if (rows.length === 0) return <Empty>There are none here.</Empty>;
  return (
    <Table title={title} columns={columns}>
      {rows.map(([key, ...cells]) => (
        <tr key={key}>
          {cells.map((cell, at) => {
            const column = columns[at] ?? "";
            return (
              <td key={column} class={columnClass(column)} data-label={columnName(column)}>
                {cell}
              </td>
            );
          })}
        </tr>
      ))}
    </Table>
  );
}

interface PagedProps<Answer> extends Pick<TableProps, "title" | "columns"> {
  readonly askAt: (page: { readonly limit: number; readonly offset: number }) => Ask<Answer>;
  readonly rowsOf: (answer: Answer) => TableProps["rows"];
  /** The newest seqno for lists that change with every block. */
  readonly version?: number;
  readonly note?: string;
}

/** A list of the API, a page at a time. */
export function Paged<Answer>({ title, columns, askAt, rowsOf, version = 0, note }: PagedProps<Answer>) {
  const [offset, setOffset] = useState(0);
  const ask = askAt({ limit: size, offset });
  // Only the first page changes under the reader.
  const loaded = useAsk(ask, offset === 0 ? version : 0);
  return (
    <Panel title={title} from={[ask]} note={note}>
      <Await of={loaded}>
        {(answer) => {
          const rows = rowsOf(answer);
          return (
            <>
              <Rows title={title} columns={columns} rows={rows} />
              <Pager offset={offset} size={size} count={rows.length} onMove={setOffset} />
            </>
          );
        }}
      </Await>
    </Panel>
  );
}
