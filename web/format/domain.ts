/** Whether a text has the form of a domain. */
export function isDomain(text: string): boolean {
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:ton|t\.me)$/i.test(text.trim());
}
