import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findRepeats, REPEATED_LINES } from '../../scripts/lib/repeats.mjs';
import { tempTree } from './temp-tree.ts';

const run = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => `const line${from + i} = ${from + i};`);

const find = (files: Record<string, readonly string[]>) =>
  findRepeats(
    join(tempTree(Object.fromEntries(Object.entries(files).map(([name, lines]) => [name, lines.join('\n')]))), 'src'),
  );

test('ten equal lines in two files are a repeat, with the places of both; nine are none', () => {
  expect(REPEATED_LINES).toBe(10);
  const found = find({ 'src/a.ts': ['const first = 1;', ...run(1, 10)], 'src/deep/b.ts': [...run(1, 10), 'last();'] });
  expect(found).toEqual([{ lines: 10, first: 'a.ts:2-11', again: join('deep', 'b.ts:1-10') }]);
  expect(find({ 'src/a.ts': run(1, 9), 'src/b.ts': run(1, 9) })).toEqual([]);
});

test('a longer run is one repeat of all its lines, and one that stands three times is two', () => {
  const found = find({ 'src/a.ts': run(1, 15), 'src/b.ts': run(1, 15), 'src/c.ts': [...run(100, 101), ...run(1, 12)] });
  expect(found).toEqual([
    { lines: 15, first: 'a.ts:1-15', again: 'b.ts:1-15' },
    { lines: 12, first: 'a.ts:1-12', again: 'c.ts:3-14' },
  ]);
});

test('within one file, too', () => {
  expect(find({ 'src/a.ts': [...run(1, 10), 'const other = 1;', ...run(1, 10)] })).toEqual([
    { lines: 10, first: 'a.ts:1-10', again: 'a.ts:12-21' },
  ]);
});

test('white space, blank lines, imports and lone punctuation neither count nor end a run', () => {
  const spaced = run(1, 10).flatMap((line, i) => [`  ${line.replaceAll(' ', '   ')}`, i % 2 ? '' : '});']);
  const imports = ["import { a } from './a.ts';", 'import {', '  b,', "} from './b.ts';"];
  const [one, ...rest] = run(1, 10) as [string, ...string[]];
  expect(find({ 'src/a.ts': [one, ...imports, ...rest], 'src/b.ts': spaced })).toMatchObject([{ lines: 10 }]);
  const nine = [...imports, ...run(1, 9), '});', ''];
  expect(find({ 'src/a.ts': nine, 'src/b.ts': nine })).toEqual([]);
});

test('a list of equal rows is no repeat of itself, but a dynamic import is a line like any other', () => {
  expect(find({ 'src/a.ts': Array.from({ length: 15 }, () => 'row(1);') })).toEqual([]);
  const lazy = [...run(1, 9), "import('./x.ts');"];
  expect(find({ 'src/a.ts': lazy, 'src/b.ts': lazy })).toHaveLength(1);
});
