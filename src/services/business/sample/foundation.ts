import type { Builder } from './builder.ts';
import { CHART } from './data/accounts.ts';
import { NUMBER_SERIES } from './data/company.ts';
import { DIMENSION_VALUES, REFERENCE_DATA } from './data/reference.ts';

const ACCOUNT_TYPES = { H: 'Heading', B: 'Begin Total', E: 'End Total', P: 'Posting', A: 'Posting' } as const;

/** Initial data of every company: accounts, number series, terms, taxes, dimensions, journals. */
export async function insertInitialData(builder: Builder): Promise<void> {
  for (const [series, last, step] of NUMBER_SERIES) await builder.series(series, last, step);
  for (const { category, lines } of CHART) {
    for (const [number, displayName, kind, subCategory = '', totaling = ''] of lines) {
      await builder.insert('account', {
        number,
        displayName,
        category,
        subCategory,
        accountType: ACCOUNT_TYPES[kind],
        directPosting: kind === 'P',
        totaling,
      });
    }
  }
  for (const { table, fields, rows } of REFERENCE_DATA) await builder.insertAll(table, fields, rows);
  for (const [dimension, code, displayName] of DIMENSION_VALUES) {
    const dimensionId = (await builder.number('dimension', dimension)).id;
    await builder.insert('dimensionValue', { dimensionId, code, displayName });
  }
}
