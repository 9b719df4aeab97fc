import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { functionNames } from '../../../../src/services/datasets/language/index.ts';
import { markedCode, needCurl, PageJar } from '../../../docs/page-jar.ts';

const PAGE = 'docs/services/datasets-queries.md';
const page = readFileSync(new URL(`../../../../${PAGE}`, import.meta.url), 'utf8');

describe('the page about queries', () => {
  it.each(functionNames())('has the function %s in its table', (name) => {
    expect(page).toMatch(new RegExp(`^\\| [a-z]+ \\|.*\`${name}\``, 'm'));
  });
});

it('the example of the page about queries gives what it shows', async ({ skip }) => {
  needCurl(skip);
  await using opened = await PageJar.open();
  const shown = await opened.shell(await markedCode(PAGE));
  const answers = shown.trim().split('\n').slice(-3);
  expect(page).toContain(`\n\`\`\`\n${answers.join('\n')}\n\`\`\`\n`);
});
