import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ALLOWED_OUTPUTS } from '../../../../src/services/events/forms.ts';
import { INPUT_INVALID, publishErrors } from '../../../../src/services/events/publish/errors.ts';
import { EVENT_DATA } from '../../../../src/services/events/publish/family.ts';
import { PUBLISH_LIMITS } from '../../../../src/services/events/publish/limits.ts';
import { blocksOf } from '../../../docs/examples.ts';
import { needCurl, shownBy, typeScriptOf, withCredential, withPageJar } from '../../../docs/page-jar.ts';

const PAGE = 'docs/services/events-publishing.md';
const page = readFileSync(new URL(`../../../../${PAGE}`, import.meta.url), 'utf8');
const jar = withPageJar();

it('the shell of the page about publishing does what it shows', async ({ skip }) => {
  needCurl(skip);
  const blocks = await blocksOf(PAGE);
  const commands = blocks.filter(({ marked }) => marked).map(({ code }) => code);
  expect(commands).toHaveLength(4);
  expect(blocks.filter(({ language }) => language === 'console' || language === 'json')).toHaveLength(3);
  const printed = await jar.opened.shell(commands.join('\n'));
  expect(printed.replaceAll(/\}(?=200)/g, '}\n')).toBe(await shownBy(PAGE, 'console', 'json'));
});

it('the TypeScript of the page about publishing runs', async () => {
  const token = (await jar.opened.shell('npx cloudjar token')).trim();
  expect(await jar.opened.typeScript(withCredential(await typeScriptOf(PAGE), token))).toBe('published\n');
});

it('the page names every error, limit and schema', () => {
  const names = [
    ...Object.keys(publishErrors),
    INPUT_INVALID,
    EVENT_DATA.codes.bodyTooLarge,
    EVENT_DATA.codes.methodNotAllowed,
    ...PUBLISH_LIMITS.map(({ name }) => name),
    ...Object.keys(ALLOWED_OUTPUTS),
    ...Object.values(ALLOWED_OUTPUTS).flat(),
  ];
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

it('the page says which schema becomes which', () => {
  for (const [input, outputs] of Object.entries(ALLOWED_OUTPUTS)) {
    expect(page).toContain(`| \`${input}\` | ${outputs.map((each) => `\`${each}\``).join(', ')} |`);
  }
});
