import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withLimitTables } from '../../../../src/services/platform/limits/docs.ts';
import { MAKERS } from '../row-makers.ts';
import * as proofs from './proofs.ts';

it('the tables of the docs are those of the rows', () => {
  const page = readFileSync(new URL('../../../../docs/services/platform-limits.md', import.meta.url), 'utf8');
  expect(page, 'run npm run docs:reference').toBe(withLimitTables(page, proofs));
});

it('a page without the marker of a table is an error', () => {
  expect(() => withLimitTables('# Limits', proofs)).toThrow('no marker for the table');
});

describe('the test that proves a row', () => {
  const { OWN_PROOFS, PROOF_BY_BUCKET, PROOF_BY_ROW } = proofs;

  it.each(Object.entries({ ...OWN_PROOFS, 'every row with a maker': PROOF_BY_ROW, 'every bucket': PROOF_BY_BUCKET }))(
    '%s: is in its file under its title',
    (_id, { file, title }) => {
      const source = readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8');
      expect(source).toContain(`'${title}'`);
    },
  );

  it('is one, not two', () => {
    expect(Object.keys(OWN_PROOFS).filter((id) => id in MAKERS)).toEqual([]);
  });
});
