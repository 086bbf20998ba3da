const attacks: readonly string[] = [
  '<img src=x onerror="window.hacked=1">',
  '"><script>window.hacked=1</script>',
  "javascript:window.hacked=1",
  "\u202eevil\u202d\u2066 right to left",
  "A".repeat(65_536),
  "\u0000\ufffd\u200b",
  "',);--",
];

/** Keys whose values come from strangers. */
const chosen = new Set(["name", "symbol", "description", "comment", "image", "domain", "uri", "text"]);

/** The same answer with an attack in every text that a stranger controls. */
export function makeHostile(answer: unknown, depth = 0): unknown {
  if (Array.isArray(answer)) return answer.map((each) => makeHostile(each, depth + 1));
  if (typeof answer !== "object" || answer === null) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([key, value]) => {
      const isChosen = chosen.has(key) && (typeof value === "string" || value === null);
      return [key, isChosen ? attacks[(key.length + depth) % attacks.length] : makeHostile(value, depth + 1)];
    }),
  );
}
