import { describe, expect, it } from "vitest";
import { formatMetric, Histogram } from "../../../src/lib/process/metricsText.ts";

describe("the text format of metrics", () => {
  it("has a help line, a type line, and a line for each value", () => {
    const text = formatMetric({
      name: "requests_total",
      kind: "counter",
      help: "Requests.",
      samples: [{ value: 3 }, { labels: { path: "/a", status: "200" }, value: 0.5 }],
    });
    expect(text).toBe(
      '# HELP requests_total Requests.\n# TYPE requests_total counter\nrequests_total 3\nrequests_total{path="/a",status="200"} 0.5\n',
    );
  });

  it("escapes labels and help, and writes infinity like Prometheus", () => {
    const text = formatMetric({
      name: "a",
      kind: "gauge",
      help: 'b\\c "d"\ne',
      samples: [
        { labels: { word: 'back\\slash "quote"\nline' }, value: Number.POSITIVE_INFINITY },
        { value: Number.NEGATIVE_INFINITY },
        { value: Number.NaN },
      ],
    });
    expect(text).toBe(
      '# HELP a b\\\\c "d"\\ne\n# TYPE a gauge\na{word="back\\\\slash \\"quote\\"\\nline"} +Inf\na -Inf\na NaN\n',
    );
  });

  it("counts the values up to the bound of each histogram bucket", () => {
    const histogram = new Histogram([0.5, 1]);
    for (const value of [0.25, 0.5, 1, 4]) histogram.add(value);
    expect(histogram.samples({ kind: "x" })).toEqual([
      { suffix: "_bucket", labels: { kind: "x", le: "0.5" }, value: 2 },
      { suffix: "_bucket", labels: { kind: "x", le: "1" }, value: 3 },
      { suffix: "_bucket", labels: { kind: "x", le: "+Inf" }, value: 4 },
      { suffix: "_sum", labels: { kind: "x" }, value: 5.75 },
      { suffix: "_count", labels: { kind: "x" }, value: 4 },
    ]);
  });

  it("is read back as the same samples by the grammar of the format", () => {
    const histogram = new Histogram([0.5, 1]);
    histogram.add(0.7);
    const samples = histogram.samples({ way: '"\\\n' });
    const waits = { name: "wait_seconds", kind: "histogram", help: "Waits.", samples } as const;
    const heap = {
      name: "heap_bytes",
      kind: "gauge",
      help: 'A "\\\n help.',
      samples: [{ value: Number.NaN }],
    } as const;
    expect([waits, heap].map(formatMetric).join("").trimEnd().split("\n").map(readLine)).toEqual([
      "# HELP wait_seconds Waits.",
      "# TYPE wait_seconds histogram",
      ...samples.map(({ suffix, labels, value }) => ({ name: `wait_seconds${suffix}`, labels, value })),
      '# HELP heap_bytes A "\\\n help.',
      "# TYPE heap_bytes gauge",
      { name: "heap_bytes", labels: {}, value: Number.NaN },
    ]);
  });
});

/** Reads a line of the text format; of a comment it gives the text. */
function readLine(line: string): unknown {
  const plain = (text: string) => text.replace(/\\(.)/g, (_, sign) => (sign === "n" ? "\n" : sign));
  if (line.startsWith("#")) return plain(line);
  const [, name, inner = "", value = ""] =
    /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\]|\\[\\n"])*",?)+)\})? (\S+)$/.exec(line) ?? [];
  const labels = [...inner.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text = ""]) => [key, plain(text)]);
  return { name, labels: Object.fromEntries(labels), value: Number(value.replace("Inf", "Infinity")) };
}
