import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { STORAGE_PROBLEMS } from '../../../../src/services/datashare/storage/problem.ts';

const PAGE = readFileSync(new URL('../../../../docs/services/datashare-copying.md', import.meta.url), 'utf8');

it('the page on copies has every problem of storage, and whether it is final', () => {
  const rows = [...PAGE.matchAll(/^\| `(\w+)` \| (yes|no) \|/gm)].map(([, code, isFinal]) => [code, isFinal]);
  const expected = Object.entries(STORAGE_PROBLEMS).map(([code, [isFinal]]) => [code, isFinal ? 'yes' : 'no']);
  expect(rows).toEqual(expected);
});
