import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { filesBelow } from './stamp.mjs';

/**
 * @typedef {{ what: string, most: number, pattern: RegExp }} Rule
 * @typedef {{ what: string, most: number, places: string[] }} Count
 */

/**
 * Patterns of which src/ may not have more than `most` occurrences. Comments are ignored.
 * @type {Rule[]}
 */
export const RULES = [
  {
    what: 'dynamic imports (code loads by service)',
    most: 62,
    pattern: /(?<!typeof )\bimport\(/g,
  },
  {
    what: "WeakMaps with a jar's memory (memory belongs in the object that a service or an engine opens)",
    most: 0,
    pattern: /new WeakMap<(?:\w*Jar|Vault|Config|Store|Metrics)\b/g,
  },
  {
    what: 'casts of the payload of due work (defineWork types it)',
    most: 0,
    pattern: /\bitem\.payload as\b/g,
  },
  {
    what: "casts with 'as unknown as' (only if the types of a library are wrong)",
    most: 3,
    pattern: /\bas unknown as\b/g,
  },
];

/**
 * @param {string} folder
 * @param {Rule[]} [rules]
 * @returns {Count[]}
 */
export function countIn(folder, rules = RULES) {
  const files = filesBelow(folder).filter((file) => file.endsWith('.ts'));
  const sources = files.map((file) => ({
    name: relative(folder, file),
    text: withoutComments(readFileSync(file, 'utf8')),
  }));
  return rules.map(({ what, most, pattern }) => ({
    what,
    most,
    places: sources.flatMap(({ name, text }) =>
      Array.from(text.matchAll(pattern), (match) => `${name}:${text.slice(0, match.index).split('\n').length}`),
    ),
  }));
}

/**
 * Blanks comments, keeping line numbers.
 * @param {string} text
 */
function withoutComments(text) {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/(^|\s)\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, ' '));
}
