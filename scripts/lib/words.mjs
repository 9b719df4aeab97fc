// Habits of language that make readers translate: the check warns of them in comments and pages, with the line.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from './stamp.mjs';

/** @type {readonly (readonly [habit: RegExp, instead: string])[]} */
export const HABITS = [
  [/\b(tell|tells|told|telling) of\b/i, 'notify, deliver, report'],
  [/\b(hear|hears|heard|hearing) of\b/i, 'is notified, receives'],
  [/\bwhat (becomes|became|comes|came) of\b/i, 'outcome, result'],
  [/\b(is|are|was|were) (had|seen to)\b/i, 'active voice: who does it'],
  [/\b(take|takes|took|taken|give|gives|gave|given) back\b/i, 'cancel, withdraw, return, reject'],
  [/\bmade one of\b/i, 'coalesce, merge'],
  [/\bcounts? once\b/i, 'deduplicate, idempotent'],
  [/\bever (longer|shorter|fewer|less)\b/i, 'backoff, halved'],
  [/\bput into words\b/i, 'serialise, format'],
  [/\bno longer believes?\b/i, 'invalidate'],
  [/\bwhoever\b/i, 'name the subscriber, caller or reader'],
  [/\b(is|are) let (pass|through|be)\b/i, 'accept, allow'],
  [/\bin the end\b/i, 'eventually, at last'],
  [/\bafter all\b(?=[.,;])/i, 'leave it out, or say why'],
  [/\ball the same\b/i, 'still, anyway'],
  [/\b(says|said) otherwise\b/i, 'default, override'],
  [/\bcome to pass\b/i, 'happen'],
];

/** Most lines have none of them. */
const ANY_HABIT = new RegExp(HABITS.map(([habit]) => habit.source).join('|'), 'i');

const FOLDERS = ['src', 'scripts', 'tools', 'bench', 'site', 'console', 'docs'];
const PAGES = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
/** Measured texts, and pages whose sentences are those of the code. */
const PASSED_OVER = /(^|\/)(node_modules|generated|\.pages|RESULTS\.md)(\/|$)|scripts\/lib\/words\.mjs$/;

/**
 * Of a page of the console every line: its texts are what people read.
 * @type {readonly (readonly [file: RegExp, lines: (source: string) => readonly string[]])[]}
 */
const PROSE_OF = [
  [/\.md$/, (page) => proseLines(page)],
  [/\.[mc]?[tj]s$/, (source) => commentLines(source)],
  [/\.tsx$/, (source) => source.split('\n')],
];

/**
 * @param {string} base
 * @returns {string[]} a line for each place
 */
export function findHabits(base) {
  const files = [...FOLDERS, ...PAGES].flatMap((each) => filesBelow(join(base, each)));
  return files.flatMap((file) => {
    const name = file.slice(base.length + 1);
    if (PASSED_OVER.test(name)) return [];
    const prose = PROSE_OF.find(([pattern]) => pattern.test(name))?.[1];
    return prose === undefined ? [] : habitsOf(name, prose(readFileSync(file, 'utf8')));
  });
}

/**
 * @param {string} name
 * @param {readonly string[]} lines empty where a line has no prose
 */
export function habitsOf(name, lines) {
  return lines.flatMap((line, index) => {
    const habits = ANY_HABIT.test(line) ? HABITS : [];
    return habits.flatMap(([habit, instead]) => {
      const [found] = habit.exec(line) ?? [];
      return found === undefined ? [] : [`${name}:${index + 1}: '${found}': ${instead}`];
    });
  });
}

/** @param {string} source */
export const commentLines = (source) =>
  source
    .split('\n')
    .map((line) => /^\s*(?:\/\/|\/?\*)(.*)$|(?:^|\s)\/\/ (.*)$/.exec(line)?.slice(1).find(Boolean) ?? '');

/** @param {string} page */
export function proseLines(page) {
  let isCode = false;
  return page.split('\n').map((line) => {
    const isFence = /^\s*```/.test(line);
    if (isFence) isCode = !isCode;
    return isCode || isFence ? '' : line.replaceAll(/`[^`]*`/g, '');
  });
}
