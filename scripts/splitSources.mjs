import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseAst } from "rolldown/parseAst";

/*
 * Chunks are made of whole modules, so a chunk that is loaded early has what later ones need of the same files. Here,
 * each declaration becomes a module of its own, `file~name.ts`, and the file only exports them again. This is possible
 * because no module does anything but declare.
 */

const partName = /~\w+\.ts$/;

/** Splits sources below `base` into their declarations, but for those that `isWhole` names. */
export function splitSources(base, isWhole) {
  const split = new Map();
  const partsOf = (path) => {
    if (!split.has(path)) split.set(path, splitModule(readFileSync(path, "utf8"), basename(path, ".ts")));
    return split.get(path);
  };
  return {
    name: "split-sources",
    resolveId: (name, from) => (from !== undefined && partName.test(name) ? join(dirname(from), name) : undefined),
    load: {
      filter: { id: /[\\/]src[\\/].*\.ts$/ },
      handler: (id) => {
        if (!id.startsWith(base) || isWhole(id)) return undefined;
        if (!partName.test(id)) return partsOf(id)?.get("");
        return partsOf(id.replace(partName, ".ts"))?.get(basename(id));
      },
    },
  };
}

/** The texts of the modules that a module is split into, by name; the one without a name exports them. */
function splitModule(code, name) {
  const { body } = parseAst(code, { lang: "ts" });
  const { units, imports, exported, kept } = readStatements(body, code);
  if (units === undefined) return undefined;
  const groups = groupUnits(units);
  if (groups.length < 2) return undefined;
  const fileOf = new Map();
  for (const group of groups)
    for (const unit of group) for (const each of unit.names) fileOf.set(each, `${name}~${group[0].names[0]}.ts`);
  const files = new Map(groups.map((group) => [fileOf.get(group[0].names[0]), formatPart(group, fileOf, imports)]));
  const again = exported.map(([local, name]) => {
    const file = fileOf.get(local);
    return file && `export { ${local} as ${name} } from "./${file}";`;
  });
  return files.set("", [...kept, ...again.filter(Boolean)].join("\n"));
}

const isType = (node) => /^TS/.test(node.type) || node.declare === true;

/**
 * The declarations of values, what is imported, and what is exported; no units if the module does more than declare.
 */
function readStatements(body, code) {
  const [units, imports, exported, kept] = [[], new Map(), [], []];
  for (const statement of body) {
    if (statement.type === "ImportDeclaration") readImport(statement, code, imports);
    else if (statement.type === "ExportNamedDeclaration" && statement.declaration == null) {
      if (statement.source != null) kept.push(code.slice(statement.start, statement.end));
      else for (const { local, exported: as } of statement.specifiers) exported.push([local.name, as.name]);
    } else {
      const declaration = statement.declaration ?? statement;
      if (isType(declaration)) continue;
      if (!/^(?:Variable|Function|Class)Declaration$/.test(declaration.type)) return {};
      const names = namesOf(declaration);
      if (statement !== declaration) for (const each of names) exported.push([each, each]);
      const used = new Set();
      readNames(declaration, used);
      const isChanged = declaration.type === "VariableDeclaration" && declaration.kind !== "const";
      units.push({ names, used, isChanged, text: code.slice(declaration.start, declaration.end) });
    }
  }
  return { units, imports, exported, kept };
}

function readImport({ specifiers, source, importKind }, code, imports) {
  if (importKind === "type") return;
  for (const each of specifiers) {
    if (each.importKind === "type") continue;
    const text = code.slice(each.start, each.end);
    const clause = each.type === "ImportSpecifier" ? `{ ${text} }` : text;
    imports.set(each.local.name, `import ${clause} from ${source.raw};`);
  }
}

function namesOf({ id, declarations }) {
  const names = new Set();
  if (declarations === undefined) names.add(id.name);
  else for (const each of declarations) readNames(each.id, names);
  return [...names];
}

/** The names that a node may use: not those of properties, and not those of types. */
function readNames(node, names) {
  if (Array.isArray(node)) for (const each of node) readNames(each, names);
  if (typeof node?.type !== "string" || /^TS(?!As|Satisfies|NonNull)/.test(node.type)) return;
  if (node.type === "Identifier") names.add(node.name);
  for (const [key, value] of Object.entries(node)) {
    const isName = (key === "property" || key === "key") && node.computed !== true;
    if (typeof value === "object" && !isName) readNames(value, names);
  }
}

/**
 * Declarations that need each other are together, and so is a variable with all that uses it: it may be changed there.
 */
function groupUnits(units) {
  const unitOf = new Map(units.flatMap((unit) => unit.names.map((name) => [name, unit])));
  const next = new Map(units.map((unit) => [unit, new Set()]));
  for (const unit of units) {
    for (const name of unit.used) {
      const other = unitOf.get(name);
      if (other === undefined || other === unit) continue;
      next.get(unit).add(other);
      if (other.isChanged) next.get(other).add(unit);
    }
  }
  const reached = new Map(units.map((unit) => [unit, reach(unit, next)]));
  const groups = [];
  for (const unit of units) {
    const group = groups.find(([first]) => reached.get(unit).has(first) && reached.get(first).has(unit));
    if (group === undefined) groups.push([unit]);
    else group.push(unit);
  }
  return groups;
}

function reach(unit, next, seen = new Set([unit])) {
  for (const other of next.get(unit)) if (!seen.has(other)) reach(other, next, seen.add(other));
  return seen;
}

function formatPart(group, fileOf, imports) {
  const own = new Set(group.flatMap(({ names }) => names));
  const used = new Set(group.flatMap(({ used }) => [...used]).filter((name) => !own.has(name)));
  const needed = [...used].flatMap((name) => {
    const file = fileOf.get(name);
    return file === undefined ? (imports.get(name) ?? []) : `import { ${name} } from "./${file}";`;
  });
  return [...needed, ...group.map(({ text }) => `export ${text}`)].join("\n");
}
