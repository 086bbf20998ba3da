import { type StackRow, type StackType, stackTypes } from "./stack.ts";

const hints: Readonly<Record<StackType, string>> = {
  number: "42 or 0x2a",
  cell: "a bag of cells as base64",
  slice: "a bag of cells as base64",
  address: "EQ…",
};

interface Props {
  readonly rows: readonly StackRow[];
  readonly onChange: (rows: readonly StackRow[]) => void;
}

/** The arguments of a method, each with its type. */
export function StackEditor({ rows, onChange }: Props) {
  const change = (id: number, next: Partial<StackRow>) =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...next } : row)));
  const add = () => onChange([...rows, { id: Math.max(0, ...rows.map(({ id }) => id)) + 1, type: "number", text: "" }]);
  return (
    <fieldset class="stack">
      <legend>Arguments</legend>
      {rows.map(({ id, type, text }, at) => (
        <div class="line" key={id}>
          <select
            value={type}
            aria-label={`Type of argument ${at + 1}`}
            onChange={({ currentTarget }) =>
              change(id, { type: stackTypes.find((each) => each === currentTarget.value) ?? "number" })
            }
          >
            {stackTypes.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
          <input
            value={text}
            spellcheck={false}
            aria-label={`Value of argument ${at + 1}`}
            placeholder={hints[type]}
            onInput={({ currentTarget }) => change(id, { text: currentTarget.value })}
          />
          <button
            type="button"
            aria-label={`Remove argument ${at + 1}`}
            onClick={() => onChange(rows.filter((row) => row.id !== id))}
          >
            Remove
          </button>
        </div>
      ))}
      <button type="button" onClick={add}>
        Add an argument
      </button>
    </fieldset>
  );
}
