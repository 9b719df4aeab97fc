import { type Route, routeOf } from '../../../kernel/http/index.ts';
import { exportRows } from '../bulk/export-rows.ts';
import { importRows } from '../bulk/import-rows.ts';
import { listRows } from '../bulk/list-rows.ts';
import { queryDataset } from '../bulk/run-query.ts';
import { getSchema } from '../bulk/schema.ts';

const DATASET = '/_jar/datasets/{dataset}';
const ROWS = `${DATASET}/tables/{table}/rows`;

/** Bulk import and export of rows, and queries, for the command line and the console. */
export const bulkRoutes: readonly Route[] = [
  routeOf(
    {
      method: 'GET',
      path: `${DATASET}/schema`,
      operation: 'Jar_GetDatasetSchema',
      summary: 'The tables of a dataset with their columns, measures and row counts',
    },
    getSchema,
  ),
  routeOf(
    {
      method: 'POST',
      path: ROWS,
      operation: 'Jar_ImportDatasetRows',
      summary:
        'Adds rows to a table, one JSON object per line: all of them or none, without the rate limits of pushes. With replace=true the existing rows are removed in the same transaction',
      accepts: 'stream',
    },
    importRows,
  ),
  routeOf(
    {
      method: 'GET',
      path: ROWS,
      operation: 'Jar_ExportDatasetRows',
      summary: 'All rows of a table in the order in which they were pushed, one JSON object per line',
      produces: 'application/x-ndjson',
    },
    exportRows,
  ),
  routeOf(
    {
      method: 'GET',
      path: `${DATASET}/tables/{table}/newest`,
      operation: 'Jar_ListDatasetRows',
      summary: 'The rows of a table as a list, the newest first; filtered and ordered by number and by values/{column}',
    },
    listRows,
  ),
  routeOf(
    {
      method: 'POST',
      path: `${DATASET}/queries`,
      operation: 'Jar_QueryDataset',
      summary: 'The rows of a query, with the names and types of its columns',
      safe: true,
      produces: 'application/json',
    },
    queryDataset,
  ),
];
