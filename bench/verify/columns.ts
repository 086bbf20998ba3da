/** The columns of the table in docs/proofs.md. */
export const columns = {
  size: { column: "proof, KB of JSON", format: (bytes: number) => (bytes / 1000).toFixed(1) },
  server: {
    column: "server, CPU of the request without",
    format: (perSecond: number, ratio: number) =>
      `${(1 / ratio).toFixed(2)} ×, ${formatMicroseconds((1e6 / perSecond) * (1 - ratio))} more`,
  },
  node: { column: "receiver, ms in Node", format: (perSecond: number) => (1000 / perSecond).toPrecision(2) },
};

export const browserColumn = {
  column: "receiver, ms in Chromium",
  format: (ms: number) => ms.toPrecision(2),
};

/** With two digits, like the other columns. */
function formatMicroseconds(microseconds: number): string {
  return `${Number(microseconds.toPrecision(2)).toLocaleString("en")} µs`;
}
