import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countIn, RULES } from '../../scripts/lib/counts.mjs';
import { tempTree } from './temp-tree.ts';

const count = (text: string): number[] =>
  countIn(join(tempTree({ 'src/a.ts': text }), 'src')).map(({ places }) => places.length);

test('dynamic imports, hidden memory and casts are counted, each with its place', () => {
  expect(count("await import('./b.ts');\nconst jars = new WeakMap<EventsJar, number>();\n")).toEqual([1, 1, 0, 0]);
  expect(count('const { id } = item.payload as Payload;\nreturn value as unknown as Json;\n')).toEqual([0, 0, 1, 1]);
  const [imports] = countIn(join(tempTree({ 'src/deep/a.ts': "\n\nimport('./b.ts');\n" }), 'src'));
  expect(imports?.places).toEqual([join('deep', 'a.ts:3')]);
});

test('comments and types do not count', () => {
  expect(count("// import('./b.ts')\n/** as unknown as */\ntype B = typeof import('./b.ts');\n")).toEqual([0, 0, 0, 0]);
});

test('caches of pure functions of immutable things may stay', () => {
  expect(count('const compiled = new WeakMap<TSchema, Validator>();\n')).toEqual([0, 0, 0, 0]);
});

test('every rule has a bound', () => {
  expect(RULES.every(({ most }) => most >= 0)).toBe(true);
});
