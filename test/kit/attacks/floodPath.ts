/** How many requests are sent together. */
const together = 50;

/** Sends requests until one is refused for their number; returns the statuses before, and that of the refusal. */
export async function floodPath(
  origin: string,
  path: string,
  { headers = {}, max }: { readonly headers?: Readonly<Record<string, string>>; readonly max: number },
): Promise<{ readonly before: readonly number[]; readonly refused: number | undefined }> {
  const before = new Set<number>();
  for (let sent = 0; sent < max; sent += together) {
    const statuses = await Promise.all(
      Array.from({ length: together }, async () => {
        const response = await fetch(`${origin}${path}`, { headers });
        await response.arrayBuffer();
        return response.status;
      }),
    );
    for (const status of statuses) if (status !== 429) before.add(status);
    if (statuses.includes(429)) return { before: [...before], refused: 429 };
  }
  return { before: [...before], refused: undefined };
}
