import { crc32 } from "node:zlib";
import { parseAst } from "rolldown/parseAst";

/* What clients do without is taken from the sources before they are bundled. */

/** Calls visitor for each node of a declaration that is evaluated with its module. */
function visitEvaluated(node, visitor) {
  if (Array.isArray(node)) for (const each of node) visitEvaluated(each, visitor);
  if (typeof node?.type !== "string" || /Function|^Class|^TS(?!As|Satisfies)/.test(node.type)) return;
  visitor(node);
  for (const each of Object.values(node)) if (typeof each === "object") visitEvaluated(each, visitor);
}

/** Calls visitor for each node. */
function visitAll(node, visitor) {
  if (Array.isArray(node)) for (const each of node) visitAll(each, visitor);
  if (typeof node?.type !== "string") return;
  visitor(node);
  for (const each of Object.values(node)) if (typeof each === "object") visitAll(each, visitor);
}

/**
 * Changes the constants of modules. `edit` gives for a node of one the places to change, and the texts to put there.
 */
function editConstants(name, filter, edit) {
  return editModules(name, filter, (body, add, code) => {
    for (const statement of body) {
      const declaration = statement.declaration ?? statement;
      if (declaration.type === "VariableDeclaration")
        visitEvaluated(declaration.declarations, (node) => add(edit(node, code)));
    }
  });
}

/**
 * Changes modules; `list` adds the places of one to change, and the texts to put there. The texts are kept, because a
 * build for browsers reads the same modules a dozen times.
 */
function editModules(name, filter, list) {
  const known = new Map();
  const handler = (code) => {
    if (!known.has(code)) known.set(code, editModule(code, list));
    return known.get(code);
  };
  return { name, transform: { filter, handler } };
}

function editModule(code, list) {
  const edits = [];
  list(parseAst(code, { lang: "ts" }).body, (found) => edits.push(...found), code);
  let edited = code;
  const isWithin = ([start, end], [from, to]) => from <= start && end <= to && to - from > end - start;
  const outer = edits.filter((one) => !edits.some((other) => isWithin(one, other)));
  for (const [start, end, text] of outer.sort(([a], [b]) => b - a))
    edited = edited.slice(0, start) + text + edited.slice(end);
  return edited;
}

/** No module does anything but declare: what is declared and not used may be left out, with all that it is made of. */
export function markPure() {
  return editConstants("mark-pure", { id: /[\\/]src[\\/].*\.ts$/ }, ({ type, start }) =>
    /^(?:Call|New)Expression$/.test(type) ? [[start, start, "/* @__PURE__ */ "]] : [],
  );
}

/**
 * Texts of the documentation: the sentence before the rest of a declared field or argument, those with these names, and
 * examples.
 */
export function dropTexts() {
  const isText = (node) => /^(?:Template)?Literal$/.test(node?.type);
  const dropped = (node) => (isText(node) ? [[node.start, node.end, '""']] : []);
  return editConstants("drop-texts", { id: /[\\/]src[\\/](?:api[\\/]|lib[\\/]kit).*\.ts$/ }, (node, code) => {
    if (node.type === "Property" && /^(?:summary|description)$/.test(node.key.name)) return dropped(node.value);
    if (node.type === "Property" && node.key.name === "examples") return [[node.value.start, node.value.end, "[]"]];
    const [first, second] = node.type === "CallExpression" ? node.arguments : [];
    return second !== undefined && /\.["`]$/.test(code.slice(first.start, first.end)) ? dropped(first) : [];
  });
}

/** A TL line says its number and its fields; clients need only the number, and the name for errors. */
export function shortenLines() {
  return editConstants(
    "shorten-lines",
    { id: /[\\/]src[\\/]lite[\\/]tl[\\/][\w~]+\.ts$/ },
    ({ type, value, start, end }) => {
      const [, name, id, result] =
        (type === "Literal" && /^([\w.]+)(#[0-9a-f]{8})?(?: \w+:.*)? = ([\w.]+)$/.exec(value)) || [];
      if (name === undefined) return [];
      const number = id ?? `#${crc32(value.replaceAll(/[()]/g, "")).toString(16).padStart(8, "0")}`;
      return [[start, end, JSON.stringify(`${name}${number} = ${result}`)]];
    },
  );
}

/**
 * What is wrong with cells, values and proofs: a client says which answer is not proved, and gives the code of the
 * cause.
 */
export function dropReasons() {
  const edit = ({ type, callee, arguments: [first, text] = [] }) => {
    if (type === "CallExpression" && callee.name === "proofError") return [[first.start, first.end, '"lite/proof"']];
    const isReason = type === "NewExpression" && /^(?:Cell|Model|Lite)Error$/.test(callee.name);
    return isReason && first?.type === "Literal" && text ? [[text.start, text.end, first.raw]] : [];
  };
  const filter = { id: /[\\/]src[\\/](?:cell|model|lite[\\/](?:queries|tl))[\\/].*\.ts$/ };
  return editModules("drop-reasons", filter, (body, add) => visitAll(body, (node) => add(edit(node))));
}

/**
 * What endpoints run on the index, and what those run that nothing proves: a client checks answers, and has no index.
 */
export function dropRuns() {
  return editConstants("drop-runs", { id: /[\\/]src[\\/]api[\\/]v3[\\/][\w~]+\.ts$/ }, (node, code) => {
    const { callee, arguments: [first] = [] } = node;
    if (node.type !== "CallExpression" || first === undefined) return [];
    if (callee.name === "onHistory") return [[first.start, first.end, "undefined"]];
    if (!/^(?:indexE|e)ndpoint$/.test(callee.name)) return [];
    const propertyOf = (name) => first.properties.find(({ key }) => key?.name === name)?.value;
    const textOf = (value) => value && code.slice(value.start, value.end);
    const isUnproved = /^(?:noProof\(|writeProof$)/.test(textOf(propertyOf("proof")));
    const dropped =
      callee.name === "indexEndpoint" || isUnproved ? [propertyOf("result"), isUnproved && propertyOf("run")] : [];
    return dropped.filter(Boolean).map(({ start, end }) => [start, end, "undefined"]);
  });
}

/** The kinds of errors by code: of each table, the most frequent kind stands once, and codes of others remain. */
export function dropKinds() {
  const isTable = ({ type, properties = [] }) =>
    type === "ObjectExpression" &&
    properties.length > 1 &&
    properties.every(({ key }) => /^[\w]+\/[\w-]+$/.test(key?.value ?? ""));
  return editConstants("drop-kinds", { id: /[\\/]src[\\/].*rror(?:s|~\w+)?\.ts$|rrors~\w+\.ts$/ }, (node, code) => {
    if (!isTable(node)) return [];
    const kinds = node.properties.map(({ key, value }) => {
      const [kind] = /"(?:caller|remote|ours)"/.exec(code.slice(value.start, value.end)) ?? [];
      return { code: key.raw, kind };
    });
    if (kinds.some(({ kind }) => kind === undefined)) return [];
    const countOf = (kind) => kinds.filter((each) => each.kind === kind).length;
    const [usual] = kinds.map(({ kind }) => kind).sort((a, b) => countOf(b) - countOf(a));
    const others = kinds.filter(({ kind }) => kind !== usual).map((each) => `${each.code}: ${each.kind}`);
    return [[node.start, node.end, `{ ${[`"": ${usual}`, ...others].join(", ")} }`]];
  });
}

const isLiteral = (node) => /^(?:Template)?Literal$/.test(node?.type);

/** A declared instruction, or what makes some: its code, and then its name. */
function nameOfInstruction({ callee, arguments: [code, name] }) {
  if (callee.type !== "Identifier") return undefined;
  if (/^(?:opcode|withQuiet)$/.test(callee.name)) return name?.type === "ArrayExpression" ? name.elements[0] : name;
  const hasCode = typeof code?.value === "number" || /^[0-9A-Fx-]+$/.test(code?.value);
  return hasCode && /^[0-9]?[A-Z][0-9A-Z#]*$/.test(name?.value) ? name : undefined;
}

/** Names of instructions, and how operands are shown: only what shows code as text needs them. */
export function dropMnemonics() {
  const filter = {
    id: /[\\/]src[\\/]tvm[\\/]machine[\\/](?:instructions[\\/].*|instruction|tails)(?:~\w+)?\.ts$/,
  };
  const dropName = (call) => {
    const name = nameOfInstruction(call);
    return isLiteral(name) ? [[name.start, name.end, '""']] : [];
  };
  const dropShown = ({ properties }) => {
    const find = (key) => properties.findIndex((property) => property.key?.name === key);
    const [code, name, show] = [find("code"), find("name"), find("show")];
    if (code !== -1 && name !== -1) return [[properties[name].value.start, properties[name].value.end, '() => ""']];
    return show === -1 ? [] : [[properties[show - 1]?.end ?? properties[show].start, properties[show].end, ""]];
  };
  return editModules("drop-mnemonics", filter, (body, add) =>
    visitAll(body, (node) => {
      if (node.type === "CallExpression") add(dropName(node));
      if (node.type === "ObjectExpression") add(dropShown(node));
    }),
  );
}
