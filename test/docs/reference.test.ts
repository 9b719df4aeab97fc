import { expect, it } from 'vitest';
import { outdatedPages } from '../../scripts/reference/write.mjs';

it('the pages that are drawn from tables of the code are up to date', async () => {
  const outdated = await outdatedPages();
  expect(
    outdated.map(({ name }) => name),
    'run npm run docs:reference',
  ).toEqual([]);
});
