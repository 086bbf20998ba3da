/** The media type of the drawings here. */
export const drawingType = "image/svg+xml";

const gate =
  '<path d="M4 28V14a12 12 0 0 1 24 0v14M10 28V15a6 6 0 0 1 12 0v13" fill="none" stroke="#0098ea" stroke-width="4"/>';

/** For browser tabs. */
export const icon = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${gate}</svg>`);
/** For page headers with a dark background. */
export const logo =
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="180" height="40" viewBox="0 0 144 32">${gate}
<text x="40" y="24" fill="#fff" font-family="system-ui,sans-serif" font-size="22" font-weight="600">Tongate</text></svg>`);
