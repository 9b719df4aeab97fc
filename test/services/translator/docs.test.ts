import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { numbersOf } from '../../../src/kernel/limits/table.ts';
import { keyErrors } from '../../../src/services/translator/control/errors.ts';
import { keyControl } from '../../../src/services/translator/control/key-routes.ts';
import { errors } from '../../../src/services/translator/errors.ts';
import { TRANSLATOR } from '../../../src/services/translator/index.ts';
import { LIVE_DETECTABLE } from '../../../src/services/translator/languages/facts.ts';
import { GROUPS } from '../../../src/services/translator/languages/groups.ts';
import { namingIn } from '../../../src/services/translator/languages/naming.ts';
import { SettingsSchema } from '../../../src/services/translator/settings-schema.ts';
import { startJar } from '../../../src/testing/index.ts';
import { blocksOf, runTypeScript } from '../../docs/examples.ts';
import { markedCode, needCurl, PageJar, shownBy, typeScriptOf } from '../../docs/page-jar.ts';

const PAGE = 'docs/services/translator.md';
const read = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
const page = read(PAGE);

const codes = Object.values(errors).map((make) => (make as (values: object) => { code: string })({}).code);
const limits = (TRANSLATOR.limits ?? []).map((limit) => ({ name: limit.name, limit }));

describe('the page about the translator', () => {
  it.each([...codes, ...Object.values(TRANSLATOR.family.codes).filter((code) => code !== '412000')])(
    'has the error %s in its table',
    (code) => {
      expect(page).toMatch(new RegExp(`^\\|.*\`${code}\`.* \\| `, 'm'));
    },
  );

  it.each(Object.keys(keyErrors))('names the refusal %s of the control API', (code) => {
    expect(page).toContain(`\`${code}\``);
  });

  it.each(limits)('names the limit $name, with its number', ({ name, limit }) => {
    const row =
      page.split('\n').find((line) => line.startsWith('| `translator.') && line.includes(`\`${name}\``)) ?? '';
    expect(row).toContain(`| ${limit.kind} |`);
    expect(row).toContain(
      limit.mode === 'unlimited' ? 'a number is set' : (numbersOf(limit).limit ?? 0).toLocaleString('en'),
    );
  });

  it.each(Object.keys(SettingsSchema.properties))('has the setting %s in its table', (name) => {
    expect(page).toContain(`| \`${name}\` |`);
  });

  it.each(keyControl.map(({ method, path }) => [method, path]))(
    'has the call %s %s, which is among those of the control API',
    (method, path) => {
      expect(page).toContain(`| \`${method} ${path}\` |`);
      expect(read('docs/reference/control.md')).toContain(path);
    },
  );

  it('says how many languages there are', () => {
    const count = (group: keyof typeof GROUPS) => Object.keys(GROUPS[group](namingIn('en'))).length;
    expect(page).toContain(`\`translation\` (${count('translation')} languages)`);
    expect(page).toContain(`\`transliteration\` (${count('transliteration')}, `);
    expect(page).toContain(`\`dictionary\` (${count('dictionary')}: `);
    expect(page).toContain(`one of the ${LIVE_DETECTABLE.size} languages`);
  });
});

it('the examples for a shell do what they show', async ({ skip }) => {
  needCurl(skip);
  await using page = await PageJar.open();
  expect((await blocksOf(PAGE)).filter(({ marked }) => marked)).toHaveLength(2);
  const shown = await page.shell(await markedCode(PAGE));
  expect(shown.replaceAll(/ $/gm, '')).toBe(await shownBy(PAGE, 'console'));
});

it('the example for a test does what it shows', async () => {
  expect(await runTypeScript(await typeScriptOf(PAGE))).toBe('de\n');
});

it('the example of the seed file is one', async () => {
  const blocks = await blocksOf('docs/reference/seed.md');
  const example = blocks.find(({ language, code }) => language === 'json' && code.startsWith('{ "translator"'));
  const folder = await mkdtemp(join(tmpdir(), 'cloudjar-translator-'));
  try {
    const { writeFile } = await import('node:fs/promises');
    await writeFile(join(folder, 'seed.json'), example?.code ?? '');
    await using jar = await startJar({ seed: join(folder, 'seed.json') });
    const answer = await fetch(`${jar.url}/_jar/translator/keys/free`, {
      headers: { authorization: `Bearer ${jar.adminKey}` },
    });
    expect(await answer.json()).toMatchObject({ tier: 'F0', region: 'westeurope', key: expect.any(String) });
  } finally {
    await rm(folder, { recursive: true });
  }
});
