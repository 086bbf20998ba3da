import { makeQr } from "./qr.ts";

/** A code that wallets of phones read. Light around it, in dark themes too. */
export function QrCode({ text }: { readonly text: string }) {
  const rows = makeQr(text) ?? [];
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))).join("");
  const size = rows.length + 8;
  return (
    <svg
      class="qr"
      style={{ width: `${Math.max(200, size * 4)}px` }}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={`QR code of ${text}`}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
