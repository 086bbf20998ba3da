/** The node's error for bytes that are not a bag of cells. */
export function bocError(bytes: Uint8Array): string {
  const head = "cannot deserialize bag-of-cells: ";
  if (bytes.length < 4) return `${head}not enough bytes (${bytes.length} present, 10 required)`;
  return `${head}invalid header, error 0`;
}
