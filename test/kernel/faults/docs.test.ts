import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { EffectSchema, MatchSchema } from '../../../src/kernel/faults/schema.ts';
import { runTypeScript } from '../../docs/examples.ts';
import { markedCode, needCurl, typeScriptOf, withPageJar } from '../../docs/page-jar.ts';

const jar = withPageJar();

const shell = async (page: string): Promise<string> => jar.opened.shell(await markedCode(page, '\necho\n'));

const typeScript = async (page: string): Promise<string> => runTypeScript(await typeScriptOf(page));

it('docs/reference/faults.md shows commands that do what it says', async () => {
  const shown = (await shell('docs/reference/faults.md')).split('\n');
  expect(shown[0]).toMatch(/^fault \w{12} is added: \/subscriptions\* -> status 429, count 3$/);
  expect(shown[1]).toMatch(/^\w{12} {2}0 of 0 {8}\/subscriptions\* -> status 429, count 3$/);
  expect(shown[2]).toBe('1 fault is removed');
});

it('docs/reference/faults.md shows a program that prints what it says', async () => {
  expect(await typeScript('docs/reference/faults.md')).toBe('[ 429, 429, 200 ]\nexhausted 2\n');
});

it('docs/reference/faults.md explains every member of a rule', async () => {
  const page = await readFile(new URL('../../../docs/reference/faults.md', import.meta.url), 'utf8');
  for (const { properties } of [MatchSchema, EffectSchema])
    for (const name of Object.keys(properties)) expect(page).toMatch(new RegExp(`^\\| .*\`${name}\`.* \\| `, 'm'));
});

it('docs/reference/inbox.md shows a program that prints what it says', async () => {
  expect(await typeScript('docs/reference/inbox.md')).toBe('POST 7 503\n[ 503, 503, 200 ]\n');
});

it('docs/reference/inbox.md shows requests that are answered as it says', async ({ skip }) => {
  needCurl(skip);
  expect(await shell('docs/reference/inbox.md')).toBe('abc');
  const response = await fetch(`${jar.opened.jar.url}/_jar/inbox/demo/requests/2`, {
    headers: { authorization: `Bearer ${jar.opened.jar.adminKey}` },
  });
  expect(await response.json()).toMatchObject({ path: '/_jar/inbox/demo/orders', body: '{"order":7}' });
});
