import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { filesBelow } from './stamp.mjs';

const STATEMENT = /^\s*(?:import|export)\b([^'";]*)['"](\.{1,2}\/[^'"]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"](\.{1,2}\/[^'"]+)['"]/g;

/**
 * @typedef {object} Import
 * @property {string} target the imported file, relative to the folder
 * @property {number} line
 * @property {'value' | 'type' | 'dynamic'} kind only values are loaded with the importing file
 */

/**
 * The imports between the TypeScript files below a folder.
 * @param {string} folder
 * @returns {Map<string, { text: string, imports: Import[] }>} by path, relative to the folder
 */
export function readImports(folder) {
  /** @type {ReturnType<typeof readImports>} */
  const files = new Map();
  for (const file of filesBelow(folder)) {
    if (!/\.tsx?$/.test(file)) continue;
    const text = readFileSync(file, 'utf8');
    const at = (/** @type {RegExpMatchArray} */ match) =>
      text.slice(0, (match.index ?? 0) + match[0].length).split('\n').length;
    const to = (/** @type {string} */ path) => relative(folder, resolve(dirname(file), path));
    /** @type {Import[]} */
    const imports = [
      ...Array.from(text.matchAll(STATEMENT), (match) => ({
        target: to(match[2] ?? ''),
        line: at(match),
        kind: /** @type {Import['kind']} */ (isTypeOnly(match[1] ?? '') ? 'type' : 'value'),
      })),
      ...Array.from(text.matchAll(DYNAMIC), (match) => ({
        target: to(match[1] ?? ''),
        line: at(match),
        kind: /** @type {const} */ ('dynamic'),
      })),
    ];
    files.set(relative(folder, file), { text, imports });
  }
  return files;
}

/**
 * True for `type { A }`, or braces in which every name is marked as a type.
 * @param {string} clause
 */
function isTypeOnly(clause) {
  if (/^\s*type\b/.test(clause)) return true;
  const braces = /^\s*\{([^}]*)\}\s*from\s*$/.exec(clause);
  if (!braces) return false;
  const names = (braces[1] ?? '').split(',').filter((name) => name.trim() !== '');
  return names.length > 0 && names.every((name) => /^\s*type\s/.test(name));
}

/**
 * The cycles of a graph: its strongly connected components of more than one node (Tarjan).
 * @param {Map<string, readonly string[]>} graph
 * @returns {string[][]}
 */
export function cyclesIn(graph) {
  /** @type {string[][]} */
  const found = [];
  const numbers = new Map();
  const lowest = new Map();
  /** @type {string[]} */
  const path = [];
  const onPath = new Set();
  const visit = (/** @type {string} */ node) => {
    numbers.set(node, numbers.size);
    lowest.set(node, numbers.get(node));
    path.push(node);
    onPath.add(node);
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue;
      if (!numbers.has(next)) {
        visit(next);
        lowest.set(node, Math.min(lowest.get(node), lowest.get(next)));
      } else if (onPath.has(next)) lowest.set(node, Math.min(lowest.get(node), numbers.get(next)));
    }
    if (lowest.get(node) !== numbers.get(node)) return;
    const cycle = path.splice(path.indexOf(node));
    for (const each of cycle) onPath.delete(each);
    if (cycle.length > 1) found.push(cycle.sort());
  };
  for (const node of graph.keys()) if (!numbers.has(node)) visit(node);
  return found;
}
