import type { Route } from '../../kernel/http/index.ts';
import { deleteDataset } from './datasets/delete.ts';
import { partsRoutes } from './datasets/parts.ts';
import { getDataset, listDatasets } from './datasets/read.ts';
import { type Operation, workspaceRoutes } from './operation.ts';
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

export const datasetsRoutes: readonly Route[] = [...workspacesRoutes, ...workspaceRoutes(DATASETS), ...partsRoutes];
