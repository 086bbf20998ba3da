interface BagFieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly onChange: (boc: string) => void;
}

/** The field for a bag of cells as text. */
export function BagField({ label, value, placeholder, onChange }: BagFieldProps) {
  return (
    <label class="field">
      {label}
      <textarea
        rows={4}
        spellcheck={false}
        value={value}
        placeholder={placeholder}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}
