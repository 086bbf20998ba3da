/** What to type to call this program: through npm in a clone, by its own name where it is installed. */
export const program = process.env.npm_lifecycle_event === "start" ? "npm start --" : "tongate";
