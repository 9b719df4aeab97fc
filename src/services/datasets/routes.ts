import type { Route } from '../../kernel/http/index.ts';
import { createDataset } from './datasets/create.ts';
import { deleteDataset } from './datasets/delete.ts';
import { partsRoutes } from './datasets/parts.ts';
import { getDataset, listDatasets } from './datasets/read.ts';
import { type Operation, workspaceRoutes } from './operation.ts';
import { executeQueries } from './queries/execute.ts';
import { deleteRows } from './rows/clear.ts';
import { postRows } from './rows/push.ts';
import { getSequenceNumbers } from './rows/sequences.ts';
import { listTables } from './tables/list.ts';
import { putTable } from './tables/put.ts';
import { workspacesRoutes } from './workspaces/routes.ts';

const DATASETS: readonly Operation[] = [
  {
    method: 'GET',
    path: '/datasets',
    operation: 'List',
    summary: 'The datasets of a workspace',
    needs: 'datasetRead',
    code: listDatasets,
  },
  {
    method: 'POST',
    path: '/datasets',
    operation: 'Create',
    summary: 'Creates a push dataset with its tables and relationships',
    needs: 'datasetWrite',
    accepts: 'bytes',
    code: createDataset,
  },
  {
    method: 'GET',
    path: '/datasets/{dataset}',
    operation: 'Get',
    summary: 'One dataset',
    needs: 'datasetRead',
    code: getDataset,
  },
  {
    method: 'DELETE',
    path: '/datasets/{dataset}',
    operation: 'Delete',
    summary: 'Deletes a dataset with its rows',
    needs: 'datasetWrite',
    code: deleteDataset,
  },
];

const TABLES: readonly Operation[] = [
  {
    method: 'GET',
    path: '/datasets/{dataset}/tables',
    operation: 'ListTables',
    summary: 'The tables of a dataset with their columns and measures',
    needs: 'datasetRead',
    code: listTables,
  },
  {
    method: 'PUT',
    path: '/datasets/{dataset}/tables/{table}',
    operation: 'PutTable',
    summary: 'Replaces the columns and measures of a table; columns that remain keep their values',
    needs: 'datasetWrite',
    accepts: 'bytes',
    code: putTable,
  },
  {
    method: 'POST',
    path: '/datasets/{dataset}/tables/{table}/rows',
    operation: 'PostRows',
    summary: 'Adds rows to a table, all or none',
    needs: 'datasetWrite',
    accepts: 'bytes',
    code: postRows,
  },
  {
    method: 'DELETE',
    path: '/datasets/{dataset}/tables/{table}/rows',
    operation: 'DeleteRows',
    summary: 'Deletes all rows of a table',
    needs: 'datasetWrite',
    code: deleteRows,
  },
  {
    method: 'GET',
    path: '/datasets/{dataset}/tables/{table}/sequenceNumbers',
    operation: 'GetSequenceNumbers',
    summary: 'The last sequence number of each client that numbers its pushes',
    needs: 'datasetRead',
    code: getSequenceNumbers,
  },
];

const QUERIES: readonly Operation[] = [
  {
    method: 'POST',
    path: '/datasets/{dataset}/executeQueries',
    operation: 'ExecuteQueries',
    summary: 'Runs a query in the analytics expression language',
    needs: 'datasetQuery',
    safe: true,
    code: executeQueries,
  },
];

export const datasetsRoutes: readonly Route[] = [
  ...workspacesRoutes,
  ...workspaceRoutes([...DATASETS, ...TABLES, ...QUERIES]),
  ...partsRoutes,
];
