import type { Reader } from '../../../kernel/store/index.ts';
import type { Securable } from '../catalog/core/securables.ts';
import { columnsOf } from '../catalog/tables/column-store.ts';
import { type Column, completeColumn } from '../catalog/tables/columns.ts';
import { filePages } from '../catalog/tables/data/files.ts';
import type { Row } from '../catalog/tables/data/rows.ts';

/**
 * The metrics of a refresh: for each column the number of rows, the number of nulls and the bounds, from the statistics of the table's
 * files.
 */

const drawn = (name: string, type_name: Column['type_name'], index: number): Column =>
  completeColumn({ name, type_name }, index);

export const PROFILE_COLUMNS: readonly Column[] = (
  [
    ['window_start', 'TIMESTAMP'],
    ['window_end', 'TIMESTAMP'],
    ['granularity', 'STRING'],
    ['monitor_version', 'LONG'],
    ['column_name', 'STRING'],
    ['count', 'LONG'],
    ['num_nulls', 'LONG'],
    ['min', 'STRING'],
    ['max', 'STRING'],
  ] as const
).map(([name, type], index) => drawn(name, type, index));

/** Drift is not computed: that would need the metrics of two windows. */
export const DRIFT_COLUMNS: readonly Column[] = (
  [
    ['window_start', 'TIMESTAMP'],
    ['window_end', 'TIMESTAMP'],
    ['granularity', 'STRING'],
    ['column_name', 'STRING'],
    ['drift_type', 'STRING'],
    ['count_delta', 'DOUBLE'],
  ] as const
).map(([name, type], index) => drawn(name, type, index));

interface Sum {
  nulls: number;
  min: unknown;
  max: unknown;
}

const less = (one: unknown, other: unknown): boolean =>
  typeof one === 'number' && typeof other === 'number' ? one < other : String(one) < String(other);

const shown = (value: unknown): string | null => (value === undefined || value === null ? null : String(value));

/** One row per column, and one for the whole table. */
export async function profileOf(
  reader: Reader,
  table: Securable,
  { now, version }: { readonly now: number; readonly version: number },
): Promise<readonly Row[]> {
  const columns = await columnsOf(reader, table);
  const sums = new Map<string, Sum>(columns.map(({ name }) => [name, { nulls: 0, min: undefined, max: undefined }]));
  let count = 0;
  for await (const page of filePages(reader, table.id)) {
    for (const { stats } of page) {
      count += stats.numRecords;
      for (const [name, sum] of sums) {
        sum.nulls += stats.nullCount[name] ?? 0;
        const [min, max] = [stats.minValues[name], stats.maxValues[name]];
        if (min !== undefined && (sum.min === undefined || less(min, sum.min))) sum.min = min;
        if (max !== undefined && (sum.max === undefined || less(sum.max, max))) sum.max = max;
      }
    }
  }
  const row = (name: string, nulls: number, min: unknown, max: unknown): Row => [
    table.createdAt,
    now,
    'whole table',
    BigInt(version),
    name,
    BigInt(count),
    BigInt(nulls),
    shown(min),
    shown(max),
  ];
  return [
    row(':table', 0, undefined, undefined),
    ...Array.from(sums, ([name, { nulls, min, max }]) => row(name, nulls, min, max)),
  ];
}
