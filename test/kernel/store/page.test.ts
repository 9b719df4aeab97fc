import { expect, it } from 'vitest';
import { collection, text } from '../../../src/kernel/store/collection.ts';
import { SQLITE } from '../../../src/kernel/store/sql/dialect.ts';
import { type Layout, layoutOf } from '../../../src/kernel/store/sql/layout.ts';
import { pageStatement } from '../../../src/kernel/store/sql/page.ts';

const items = collection<{ kind: string }>('test.items', {
  fields: { kind: text((it) => it.kind) },
  indexes: [['kind']],
});
const layout = layoutOf(items, SQLITE) as unknown as Layout<never>;

/**
 * Given two lower bounds on a column, SQLite seeks to the first one in the query. Query plans look the same either way; with the prefix
 * first, every page would be read from the start of the list.
 */
it.each([
  [{ prefix: 'a/', after: ['a/5'] }, 'a/5'],
  [{ filter: { op: 'ge', field: 'kind', value: 'b' }, order: [{ field: 'kind' }], after: ['m', 'k'] } as const, 'm'],
])('the position comes before every other bound', (query, first) => {
  const { sql, values } = pageStatement(layout, SQLITE, { ...query, limit: 10 });
  expect(values[0]).toBe(first);
  expect(sql.indexOf('?')).toBeGreaterThan(sql.indexOf('WHERE'));
});
