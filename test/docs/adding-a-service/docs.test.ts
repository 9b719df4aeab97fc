import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkLayers } from '../../../scripts/lib/layers.mjs';
import { tempTree } from '../../scripts/temp-tree.ts';

const page = readFileSync(new URL('../../../docs/contributing/adding-a-service.md', import.meta.url), 'utf8');

const isTest = (name: string): boolean => name.endsWith('.test.ts') || name === 'memory-probe.ts';

/** The file as the page shows it: with imports as in `src/services/bells` or, for a test, as in `test/services/bells`. */
function shownAs(name: string): string {
  const text = readFileSync(join(import.meta.dirname, name), 'utf8');
  return isTest(name) ? text : text.replaceAll('../../../src/', '../../');
}

const names = readdirSync(import.meta.dirname).filter((name) => name !== 'docs.test.ts');
const files = Object.fromEntries(names.map((name) => [name, shownAs(name)]));

/** Code blocks after a file name; a block with a part of a file is marked as such. */
const blocks = [...page.matchAll(/^`([\w-]+(?:\.[\w-]+)*\.ts)`(, in part)?:\n\n```ts\n([\s\S]*?)^```$/gm)].map(
  ([, name = '', part, code = '']) => ({ name, part: part !== undefined, code }),
);

it('the page names the file of every block of TypeScript', () => {
  expect(blocks).toHaveLength(page.match(/^```ts$/gm)?.length ?? 0);
});

it.each(Object.keys(files))('the page shows %s', (name) => {
  expect(blocks.map((block) => block.name)).toContain(name);
});

it.each(blocks.filter(({ part }) => !part))('$name is what the page shows', ({ name, code }) => {
  expect(code).toBe(files[name]);
});

it.each(blocks.filter(({ part }) => part))('$name has the part that the page shows', ({ name, code }) => {
  const lines = (text = ''): string => text.replace(/^ +/gm, '');
  expect(lines(files[name])).toContain(lines(code));
});

it('the example keeps the rules for services', () => {
  const sources = Object.entries(files).filter(([name]) => !isTest(name));
  const tree = tempTree(Object.fromEntries(sources.map(([name, text]) => [`services/bells/${name}`, text])));
  expect(checkLayers(tree)).toEqual({ errors: [], warnings: [] });
});
