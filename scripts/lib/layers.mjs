import { basename, dirname, sep } from 'node:path';
import { cyclesIn, readImports } from './imports.mjs';

const LONG_FILE_LINES = 400;
const HTTP_IMPORT = /^import (?!type\b)[^'"]*from 'node:http'|\bimport\('node:http'\)/m;

/** The modules of the kernel by level, the lowest level first. A module may import only from lower levels, neither from higher levels nor from other modules of its own level. */
export const LEVELS = [
  ['values', 'ids'],
  ['time', 'config'],
  ['telemetry'],
  ['store', 'tls'],
  ['clock'],
  ['auth'],
  ['http'],
  ['odata', 'limits', 'work', 'outbound', 'openapi'],
  ['feed', 'faults', 'notices'],
  ['delivery'],
  ['arm', 'traces'],
  ['snapshots', 'engines', 'settings'],
  ['service'],
];

/** @type {Map<string | undefined, number>} */
const levelOf = new Map();
for (const [level, modules] of LEVELS.entries()) for (const module of modules) levelOf.set(module, level);

/**
 * Checks the structure of src/: a service imports from the kernel only what its modules export, and nothing from other services; the kernel
 * imports no service, and its modules only lower levels; there are no import cycles; and files are short, except generated ones.
 * @param {string} src
 * @returns {{ errors: string[], warnings: string[] }}
 */
export function checkLayers(src) {
  /** @type {string[]} */
  const errors = [];
  /** @type {string[]} */
  const warnings = [];
  const files = readImports(src);
  for (const [path, { text, imports }] of files) {
    for (const { line, target } of imports) {
      const problem = crossing(path, target);
      if (problem) errors.push(`src/${path}:${line}: ${problem}`);
    }
    if (HTTP_IMPORT.test(text)) {
      errors.push(
        `src/${path}: an import of node:http loads a whole HTTP client; use nodeHttp of kernel/http/node-http.ts`,
      );
    }
    const lines = text.split('\n').length - 1;
    if (lines > LONG_FILE_LINES && !path.split(sep).includes('generated')) {
      warnings.push(`src/${path}: ${lines} lines; a file of more than ${LONG_FILE_LINES} lines should be split`);
    }
  }
  return { errors: [...errors, ...cyclesOf(files)], warnings };
}

/**
 * @param {string} from a file, relative to src/
 * @param {string} to the imported file, relative to src/
 */
function crossing(from, to) {
  const [layer, folder] = from.split(sep);
  const [targetLayer, targetFolder] = to.split(sep);
  if (layer === 'kernel') return targetLayer === 'kernel' ? wrongLevel(folder, targetFolder, to) : beyondKernel(to);
  if (layer !== 'services') return undefined;
  if (targetLayer === 'kernel') {
    if (basename(to) === 'index.ts') return undefined;
    return `a service imports src/${to}; from the kernel it may only import what the index.ts of a module exports`;
  }
  if (targetLayer !== 'services') return `a service imports src/${to}; services may only import from the kernel`;
  if (targetFolder === folder) return undefined;
  return `the ${folder} service imports the ${targetFolder} service; services communicate through the kernel's change feed`;
}

const beyondKernel = (/** @type {string} */ to) =>
  `the kernel imports src/${to}; it is the lowest layer and may only import from itself`;

/**
 * @param {string | undefined} module
 * @param {string | undefined} target
 * @param {string} to
 */
function wrongLevel(module, target, to) {
  if (module === target) return undefined;
  const [own, other] = [levelOf.get(module), levelOf.get(target)];
  if (own === undefined) return `kernel/${module} has no level; add it to LEVELS in scripts/lib/layers.mjs`;
  if (other === undefined) return `imports src/${to}, which has no level in the kernel`;
  if (other < own) return undefined;
  const level = other === own ? 'on the same level' : 'on a higher level';
  return `kernel/${module} imports src/${to}, which is ${level}; declare an interface in the importing module instead`;
}

/**
 * Modules in an import cycle work only if they happen to load in the right order. Types may refer to each other, but only within a folder.
 * @param {ReturnType<typeof readImports>} files
 */
function cyclesOf(files) {
  /** @param {readonly string[]} kinds */
  const graphOf = (kinds) => {
    /** @type {Map<string, string[]>} */
    const graph = new Map();
    for (const [path, { imports }] of files) {
      graph.set(
        path,
        imports.flatMap(({ kind, target }) => (kinds.includes(kind) ? [target] : [])),
      );
    }
    return graph;
  };
  const listOf = (/** @type {string[]} */ cycle) => cycle.map((file) => `src/${file}`).join(', ');
  const loaded = cyclesIn(graphOf(['value'])).map(
    (cycle) => `these files import each other in a cycle: ${listOf(cycle)}`,
  );
  const typed = cyclesIn(graphOf(['value', 'type']))
    .filter((cycle) => new Set(cycle.map((file) => dirname(file))).size > 1)
    .map((cycle) => `the types of these files form a cycle across folders: ${listOf(cycle)}`);
  return [...loaded, ...typed];
}
