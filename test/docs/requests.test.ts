import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withJar } from '../support/jars.ts';
import { markedCode, needCurl, PageJar, shownBy } from './page-jar.ts';

const textOf = (page: string): string => readFileSync(new URL(`../../docs/reference/${page}`, import.meta.url), 'utf8');
const PORT = 'http://localhost:7400';

withJar((bench) => {
  test('the mistyped path of docs/reference/requests.md is answered as the page shows', async () => {
    const [, asked = '', shown = ''] = /```sh\ncurl (\S+)\n```\n\n```json\n(.*)\n```/.exec(textOf('requests.md')) ?? [];
    const reply = await bench.call('GET', asked.replace(PORT, ''), { token: null });
    expect(reply.text).toBe(shown.replaceAll(PORT, bench.jar.url));
  });

  test('the names of APIs that docs/reference/control.md asks for are those of the tags', async () => {
    expect(textOf('control.md')).toContain(`${PORT}/_jar/openapi.json | jq -r '.tags[].name'`);
    const { body } = await bench.call('GET', '/_jar/openapi.json', { token: null });
    for (const { name } of body.tags) {
      const part = await bench.call('GET', `/_jar/openapi.json?service=${name}`, { token: null });
      expect(part.status, name).toBe(200);
    }
  });
});

test('the example of docs/reference/api-versions.md does what it shows', async ({ skip }) => {
  needCurl(skip);
  await using opened = await PageJar.open();
  const page = 'docs/reference/api-versions.md';
  expect(await opened.shell(await markedCode(page))).toBe(await shownBy(page, 'console'));
});
