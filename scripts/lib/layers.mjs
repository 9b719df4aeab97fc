import { basename, dirname, sep } from 'node:path';
import { circlesIn, readImports } from './imports.mjs';

const LONG_FILE_LINES = 400;
const HTTP_IMPORT = /^import (?!type\b)[^'"]*from 'node:http'|\bimport\('node:http'\)/m;

/** The rooms of the kernel, floor by floor. A room may import only from lower floors, neither from higher floors nor from other rooms of its own floor. */
export const FLOORS = [
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
const floorOf = new Map();
for (const [floor, rooms] of FLOORS.entries()) for (const room of rooms) floorOf.set(room, floor);

/**
 * Checks the structure of src/: a service imports from the kernel only what the rooms export, and nothing from other services; the kernel
 * imports no service, and its rooms only lower floors; there are no import cycles; and files are short, except generated ones.
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
  return { errors: [...errors, ...circlesOf(files)], warnings };
}

/**
 * @param {string} from a file, relative to src/
 * @param {string} to the imported file, relative to src/
 */
function crossing(from, to) {
  const [layer, folder] = from.split(sep);
  const [targetLayer, targetFolder] = to.split(sep);
  if (layer === 'kernel') return targetLayer === 'kernel' ? climbing(folder, targetFolder, to) : beyondKernel(to);
  if (layer !== 'services') return undefined;
  if (targetLayer === 'kernel') {
    if (basename(to) === 'index.ts') return undefined;
    return `a service imports src/${to}; from the kernel it may only import what the index.ts of a room exports`;
  }
  if (targetLayer !== 'services') return `a service imports src/${to}; services may only import from the kernel`;
  if (targetFolder === folder) return undefined;
  return `the ${folder} service imports the ${targetFolder} service; services communicate through the kernel's change feed`;
}

const beyondKernel = (/** @type {string} */ to) =>
  `the kernel imports src/${to}; it is the lowest layer and may only import from itself`;

/**
 * @param {string | undefined} room
 * @param {string | undefined} target
 * @param {string} to
 */
function climbing(room, target, to) {
  if (room === target) return undefined;
  const [own, other] = [floorOf.get(room), floorOf.get(target)];
  if (own === undefined) return `kernel/${room} is on no floor; add it to FLOORS in scripts/lib/layers.mjs`;
  if (other === undefined) return `imports src/${to}, which is on no floor of the kernel`;
  if (other < own) return undefined;
  const way = other === own ? 'beside it' : 'above it';
  return `kernel/${room} imports src/${to}, which is ${way}; declare an interface in the importing room instead`;
}

/**
 * Modules in an import cycle work only if they happen to load in the right order. Types may refer to each other, but only within a folder.
 * @param {ReturnType<typeof readImports>} files
 */
function circlesOf(files) {
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
  const told = (/** @type {string[]} */ circle) => circle.map((file) => `src/${file}`).join(', ');
  const loaded = circlesIn(graphOf(['value'])).map(
    (circle) => `these files import each other in a cycle: ${told(circle)}`,
  );
  const typed = circlesIn(graphOf(['value', 'type']))
    .filter((circle) => new Set(circle.map((file) => dirname(file))).size > 1)
    .map((circle) => `the types of these files form a cycle across folders: ${told(circle)}`);
  return [...loaded, ...typed];
}
