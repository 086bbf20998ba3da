/** A fenced code block of a document. */
export interface DocumentBlock {
  readonly language: string;
  readonly text: string;
  readonly line: number;
  /** Why no test runs it, from a comment above the block. */
  readonly notRun: string | undefined;
  /** The path whose answer the block shows, from a comment above the block. */
  readonly answerOf: string | undefined;
}

/** The fenced code blocks of a Markdown document, with the comments above them. */
export function listBlocks(source: string): DocumentBlock[] {
  const lines = source.split("\n");
  const blocks: DocumentBlock[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, language] = /^```(\w*)$/.exec(lines[at] ?? "") ?? [];
    if (language === undefined) continue;
    const end = lines.indexOf("```", at + 1);
    if (end === -1) throw new Error(`the block at line ${at + 1} is not closed`);
    const [, notRun] = /^<!-- not run: (.+) -->$/.exec(lines[at - 1] ?? "") ?? [];
    const [, answerOf] = /^<!-- answer of: GET (\S+) -->$/.exec(lines[at - 1] ?? "") ?? [];
    blocks.push({ language, text: lines.slice(at + 1, end).join("\n"), line: at + 1, notRun, answerOf });
    at = end;
  }
  return blocks;
}
