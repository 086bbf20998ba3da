import type { LocalWallet } from "./localWallets.ts";

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
