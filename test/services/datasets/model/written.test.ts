import { expect, it } from 'vitest';
import { initialRowsOf } from '../../../../src/services/datasets/datasets/initial-rows.ts';

it('a request with long numbers in every table is read with all digits once', () => {
  const columns = [{ name: 'n', dataType: 'Int64' }];
  const tables = Array.from({ length: 75 }, (_, i) => ({ name: `T${i}`, columns, rows: [{ n: i }] }));
  let reads = 0;
  const exact = (): unknown => {
    reads++;
    return { name: 'D', tables };
  };
  const written = initialRowsOf({ value: undefined, exact }, 1);
  expect(reads).toBe(0);
  for (const [i, { rows }] of tables.entries()) expect(written.exact(i)).toEqual(rows);
  expect(reads).toBe(1);
});
