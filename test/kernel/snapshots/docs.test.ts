import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { snapshotErrors } from '../../../src/kernel/snapshots/errors.ts';
import { blocksOf, runTypeScript } from '../../docs/examples.ts';
import { withPageJar } from '../../docs/page-jar.ts';

const PAGE = 'docs/reference/snapshots.md';
const jar = withPageJar();

test('the commands of the page do what it shows', async () => {
  const [commands] = (await blocksOf(PAGE)).filter(({ marked }) => marked);
  const shown = await jar.opened.shell(commands?.code ?? '');
  const saved = /^before-the-test {2}\S+Z {2}\d+ documents {2}\d+ kB$/;
  expect(shown.trimEnd().split('\n')).toEqual([
    expect.stringMatching(saved),
    expect.stringMatching(saved),
    expect.stringMatching(/^restored before-the-test; the jar's time is \S+Z$/),
    'before-the-test is deleted',
  ]);
});

test('the fixture of the page is made, and comes back', async () => {
  const [, commands] = (await blocksOf(PAGE)).filter(({ marked }) => marked);
  const shown = await jar.opened.shell(commands?.code ?? '');
  const saved = /^team {2}\S+Z {2}\d+ documents.* kB$/;
  expect(shown.trimEnd().split('\n')).toEqual([
    expect.stringMatching(saved),
    expect.stringMatching(/^team is in team\.cloudjar\.gz \(\d+ kB\), without:$/),
    'subscription keys of the translator: 1 (default)',
    'API tokens of the app lifecycle: 1 (seeded)',
    expect.stringMatching(saved),
    expect.stringMatching(/^subscription keys of the translator: 1 \(default\)\. New keys were generated/),
    expect.stringMatching(/^API tokens of the app lifecycle: 1 \(seeded\)\. Seeded tokens are new/),
    expect.stringMatching(/^restored team; the jar's time is \S+Z$/),
  ]);
});

test('the TypeScript of the page runs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cloudjar-fixture-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [first = '', fixture = ''] = (await blocksOf(PAGE)).flatMap(({ language, code }) =>
    language === 'ts' ? [code] : [],
  );
  expect(await runTypeScript(first)).toBe('2026-01-31T09:00:00.000Z\n');
  const elsewhere = fixture.replaceAll("'team.cloudjar.gz'", JSON.stringify(join(folder, 'team.cloudjar.gz')));
  expect(await runTypeScript(elsewhere)).toBe('1 2026-03-02T09:00:00.000Z\n');
});

test('the page has every error', async () => {
  const text = await readFile(new URL(`../../../${PAGE}`, import.meta.url), 'utf8');
  for (const code of Object.keys(snapshotErrors)) expect(text).toContain(`| \`${code}\` |`);
});
