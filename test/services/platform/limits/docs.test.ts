import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withLimitTables } from '../../../../src/services/platform/limits/docs.ts';

it('the tables of the docs are those of the rows', () => {
  const page = readFileSync(new URL('../../../../docs/platform-limits.md', import.meta.url), 'utf8');
  expect(page, 'run node scripts/generate-platform-docs.mjs').toBe(withLimitTables(page));
});

it('a page without a place for a table is an error', () => {
  expect(() => withLimitTables('# Limits')).toThrow('no place for the table');
});
