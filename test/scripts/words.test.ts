import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
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

  it('are looked for in sources and pages, and not in packages or measured texts', () => {
    const base = mkdtempSync(join(tmpdir(), 'cloudjar-words-'));
    onTestFinished(() => rmSync(base, { recursive: true }));
    const files = [
      'src/a.ts',
      'docs/services/b.md',
      'README.md',
      'src/node_modules/c/d.ts',
      'bench/RESULTS.md',
      'src/e.json',
    ];
    for (const file of files) {
      mkdirSync(dirname(join(base, file)), { recursive: true });
      writeFileSync(join(base, file), '// Whoever hears.\n');
    }
    expect(findHabits(base).map((line) => line.split(':')[0])).toEqual(['src/a.ts', 'docs/services/b.md', 'README.md']);
  });
});
