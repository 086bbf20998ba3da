import type { ComponentChildren } from "preact";
import type { LocalWallet } from "./localWallets.ts";

/** The state of an action. */
export type Done =
  | { readonly kind: "none" }
  | { readonly kind: "working" }
  | { readonly kind: "good"; readonly said: ComponentChildren }
  | { readonly kind: "bad"; readonly said: ComponentChildren };

/** How an action ended. */
export function ActionResult({ done }: { readonly done: Done }) {
  if (done.kind === "none") return null;
  if (done.kind === "working") return <p class="muted">Working…</p>;
  return (
    <p class={done.kind === "good" ? "success" : "failure"} role="status">
      {done.said}
    </p>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly onChange: (value: string) => void;
}

export function Field({ label, value, placeholder, onChange }: FieldProps) {
  return (
    <label class="field">
      {label}
      <input
        value={value}
        spellcheck={false}
        autocomplete="off"
        placeholder={placeholder}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}

interface SenderProps {
  readonly list: readonly LocalWallet[];
  readonly sender: string | undefined;
  readonly onChange: (address: string) => void;
}

/** A choice of the funded wallets. */
export function Sender({ list, sender, onChange }: SenderProps) {
  return (
    <label class="field">
      From
      <select value={sender} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {list.map(({ name, address, version }) => (
          <option key={address} value={address}>
            {name}, {version}
          </option>
        ))}
      </select>
    </label>
  );
}
