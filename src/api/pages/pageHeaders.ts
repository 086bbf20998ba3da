/** Security headers of every page: no type guessing, no frames, no referrer. */
const common = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
} as const;

/** Headers of a page that loads only files of this server; nothing inline is run. */
export const strictPageHeaders: Readonly<Record<string, string>> = {
  ...common,
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
};

/** Headers of the start page, the documentation and the API pages: styles in the page, scripts of this server only. */
export const styledPageHeaders: Readonly<Record<string, string>> = {
  ...common,
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
};
