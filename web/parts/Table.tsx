import type { ComponentChildren } from "preact";

interface Props {
  readonly title: string;
  /**
   * Names of the columns: amounts, which stand at the right, begin with `>`, names for screen readers only with `-`.
   */
  readonly columns: readonly string[];
  /** The rows. */
  readonly children: ComponentChildren;
}

/** A table in a region of its own, which scrolls; on narrow screens the cells of a row stand below each other. */
export function Table({ title, columns, children }: Props) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={title}>
      <table class="stacked">
        <TableHead columns={columns} />
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export function TableHead({ columns }: Pick<Props, "columns">) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column} scope="col" class={columnClass(column)}>
            {column.startsWith("-") ? <span class="hidden">{columnName(column)}</span> : columnName(column)}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The class of the cells of a column. */
export function columnClass(column: string): string | undefined {
  return column.startsWith(">") ? "right" : undefined;
}

export function columnName(column: string): string {
  return column.replace(/^[>-]/, "");
}
