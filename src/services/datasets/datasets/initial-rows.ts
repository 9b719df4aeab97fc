import { Mistakes } from '../model/mistakes.ts';
import { readDataset } from '../model/read-dataset.ts';
import type { DraftTable } from '../model/read-table.ts';
import type { ReparsableJson } from '../rows/exact-json.ts';
import type { InitialRows } from './make.ts';

/**
 * The rows of a request that creates a dataset. The request is parsed for exact numbers at most once, and only if a table has long numbers.
 */
export function initialRowsOf(json: ReparsableJson, bytes: number): InitialRows {
  let tables: readonly DraftTable[] | undefined;
  return {
    bytes,
    exact(table) {
      tables ??= readDataset(json.exact(), new Mistakes())?.tables ?? [];
      return tables[table]?.rows ?? [];
    },
  };
}
