import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { snapshotErrors } from '../../../src/kernel/snapshots/errors.ts';
import { blocksOf, runTypeScript } from '../../docs/examples.ts';
import { typeScriptOf, withPageJar } from '../../docs/page-jar.ts';

const PAGE = 'docs/snapshots.md';
const jar = withPageJar();

test('the commands of the page do what it shows', async () => {
  const [commands] = (await blocksOf(PAGE)).filter(({ marked }) => marked);
  const shown = await jar.opened.shell(commands?.code ?? '');
  const saved = /^before-the-test {2}\S+Z {2}\d+ documents {2}\d+ kB$/;
  expect(shown.trimEnd().split('\n')).toEqual([
    expect.stringMatching(saved),
    expect.stringMatching(saved),
    expect.stringMatching(/^back to before-the-test; it is \S+Z in the jar$/),
    'before-the-test is deleted',
  ]);
});

test('the TypeScript of the page runs', async () => {
  expect(await runTypeScript(await typeScriptOf(PAGE))).toBe('2026-01-31T09:00:00.000Z\n');
});

test('the page has every error', async () => {
  const text = await readFile(new URL(`../../../${PAGE}`, import.meta.url), 'utf8');
  for (const code of Object.keys(snapshotErrors)) expect(text).toContain(`| \`${code}\` |`);
});
