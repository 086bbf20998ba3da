const addresses = [
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s"']+/gi,
  /\[[0-9a-f:.]+\](?::\d+)?/gi,
  /(?<![\w:.])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?::\d+)?(?![\w:])/gi,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g,
  /\b[a-z0-9](?:[\w-]*[a-z0-9])?(?:\.[a-z0-9](?:[\w-]*[a-z0-9])?)*:\d{1,5}\b/gi,
  /(?<=\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENOENT|EACCES)\s)\S+/g,
] as const;

/** A text for strangers: addresses of other systems, by name or number, and paths of sockets are left out. */
export function withoutAddresses(text: string): string {
  return addresses.reduce((rest, pattern) => rest.replaceAll(pattern, "…"), text);
}
