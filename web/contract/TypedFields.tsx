import type { NamedType } from "../api/contract.ts";
import { nameType } from "./typedArgs.ts";

interface TypedFieldsProps {
  readonly fields: readonly NamedType[];
  readonly entered: ReadonlyMap<string, string>;
  readonly onChange: (entered: ReadonlyMap<string, string>) => void;
}

/** A field for each value, with its name and type. */
export function TypedFields({ fields, entered, onChange }: TypedFieldsProps) {
  return fields.map(({ name, type }) => (
    <label class="field" key={name}>
      <span>
        <bdi>{name}</bdi> <code class="muted">{nameType(type)}</code>
      </span>
      <input
        value={entered.get(name) ?? ""}
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => onChange(new Map([...entered, [name, currentTarget.value]]))}
      />
    </label>
  ));
}
