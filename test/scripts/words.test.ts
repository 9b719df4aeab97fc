import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/lib/paths.mjs';
import { commentLines, findHabits, HABITS, habitsOf, proseLines } from '../../scripts/lib/words.mjs';

describe('habits of language', () => {
  it('are found in comments and not in code', () => {
    const source = ['/** What became of a window. */', "const text = 'what became of it';", 'a(); // all the same', ''];
    expect(habitsOf('a.ts', commentLines(source.join('\n')))).toEqual([
      "a.ts:1: 'What became of': outcome, result",
      "a.ts:3: 'all the same': still, anyway",
    ]);
  });

  it('are found in the prose of a page and not in its code', () => {
    const page = ['Subscribers hear of a change.', '```sh', 'echo hear of', '```', 'The code `hear of` stays.'];
    expect(habitsOf('a.md', proseLines(page.join('\n')))).toEqual(["a.md:1: 'hear of': is notified, receives"]);
  });

  it('have something better each', () => {
    for (const [, instead] of HABITS) expect(instead).toMatch(/\w{3}/);
  });

  it('are looked for in the whole project', () => {
    expect(findHabits(root).every((line) => /^[\w./-]+:\d+: '/.test(line))).toBe(true);
  });
});
