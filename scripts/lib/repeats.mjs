import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { filesBelow } from './stamp.mjs';

/** No run of this many equal lines may occur twice: repeated code should become a named function. */
export const REPEATED_LINES = 10;

/**
 * @typedef {{ text: string, number: number }} Line
 * @typedef {{ name: string, lines: Line[] }} Source
 * @typedef {{ source: Source, at: number }} Place
 */

/**
 * Finds runs of lines that occur twice below a folder, ignoring white space. Blank lines, imports and lone punctuation are skipped. A run
 * that occurs three times is reported as two repeats of the first.
 * @param {string} folder
 * @param {number} [least] the minimum length of a reported run
 * @returns {{ lines: number, first: string, again: string }[]}
 */
export function findRepeats(folder, least = REPEATED_LINES) {
  const sources = filesBelow(folder)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ name: relative(folder, file), lines: linesOf(readFileSync(file, 'utf8')) }));
  /** @type {Map<string, Place>} */
  const firsts = new Map();
  const repeats = [];
  for (const source of sources) {
    for (let at = 0; at + least <= source.lines.length; at++) {
      const key = source.lines
        .slice(at, at + least)
        .map(({ text }) => text)
        .join('\n');
      const first = firsts.get(key);
      if (!first) {
        firsts.set(key, { source, at });
        continue;
      }
      // Equal consecutive rows of a table are not a repeat of themselves.
      if (first.source === source && at - first.at < least) continue;
      const lines = sharedFrom(first, { source, at });
      repeats.push({ lines, first: placeOf(first, lines), again: placeOf({ source, at }, lines) });
      at += lines - 1;
    }
  }
  return repeats;
}

/**
 * Number of equal lines from these two places on.
 * @param {Place} first
 * @param {Place} again
 */
function sharedFrom(first, again) {
  let lines = 0;
  for (;;) {
    const one = first.source.lines[first.at + lines];
    const isOwnStart = first.source === again.source && first.at + lines === again.at;
    if (!one || isOwnStart || one.text !== again.source.lines[again.at + lines]?.text) return lines;
    lines++;
  }
}

/**
 * @param {Place} place
 * @param {number} lines
 */
function placeOf({ source, at }, lines) {
  return `${source.name}:${source.lines[at]?.number}-${source.lines[at + lines - 1]?.number}`;
}

/**
 * The compared lines, with white space folded.
 * @param {string} text
 * @returns {Line[]}
 */
function linesOf(text) {
  let inImport = false;
  const lines = [];
  for (const [i, line] of text.split('\n').entries()) {
    const folded = line.trim().replace(/\s+/g, ' ');
    inImport ||= /^import\b(?!\()/.test(folded);
    if (!inImport && /\w/.test(folded)) lines.push({ text: folded, number: i + 1 });
    if (/['"];$/.test(folded)) inImport = false;
  }
  return lines;
}
