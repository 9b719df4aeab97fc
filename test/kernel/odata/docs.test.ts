import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LIMITS } from '../../../src/kernel/odata/ast.ts';
import { CALLS } from '../../../src/kernel/odata/calls.ts';
import { MOST_EXPANDED } from '../../../src/kernel/odata/expand.ts';
import { MOST_SKIPPED } from '../../../src/kernel/odata/list.ts';
import { MOST_COUNTED, MOST_SCANNED } from '../../../src/kernel/odata/scan.ts';
import { markedCode, needCurl, PageJar, shownBy } from '../../docs/page-jar.ts';

const PAGE = 'docs/reference/odata.md';
const page = readFileSync(new URL(`../../../${PAGE}`, import.meta.url), 'utf8');

it('docs/reference/odata.md names every function and has every limit right', () => {
  const words = new Set(page.match(/[a-z]+/g));
  expect([...CALLS.keys()].filter((name) => !words.has(name))).toEqual([]);
  const table = page.slice(page.indexOf('## Limits'), page.indexOf('## Use OData in a service'));
  const bounds = [...table.matchAll(/\| ([\d,]+) \| `Too/g)].map((match) => Number(match[1]!.replaceAll(',', '')));
  expect(bounds.sort()).toEqual(Object.values(LIMITS).toSorted());
  for (const bound of [MOST_EXPANDED, MOST_SKIPPED, MOST_SCANNED, MOST_COUNTED])
    expect(page).toContain(bound.toLocaleString('en'));
});

it('the example of docs/reference/odata.md does what it shows', async ({ skip }) => {
  needCurl(skip);
  await using opened = await PageJar.open();
  expect(await opened.shell(await markedCode(PAGE))).toBe(await shownBy(PAGE, 'console'));
});
