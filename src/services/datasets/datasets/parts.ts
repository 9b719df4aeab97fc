import type { Route } from '../../../kernel/http/index.ts';
import { listDatasources } from '../datasources/list.ts';
import { groupRoutes, type Operation, workspaceRoutes } from '../operation.ts';
import { PARAMETER_OPERATIONS } from '../parameters/routes.ts';
import { REFRESH_OPERATIONS } from '../refreshes/routes.ts';
import { USER_OPERATIONS } from '../users/routes.ts';
import { takeOverDataset } from './take-over.ts';
import { updateDataset } from './update.ts';
import { listUpstreamDataflows } from './upstream.ts';

const PARTS: readonly Operation[] = [
  {
    method: 'PATCH',
    path: '/datasets/{dataset}',
    operation: 'Update',
    summary: 'Changes how a dataset is stored and scaled',
    needs: 'datasetOwn',
    code: updateDataset,
  },
  {
    method: 'GET',
    path: '/datasets/{dataset}/datasources',
    operation: 'GetDatasources',
    summary: 'The data sources of a dataset',
    needs: 'datasetRead',
    code: listDatasources,
  },
  ...USER_OPERATIONS,
  ...PARAMETER_OPERATIONS,
  ...REFRESH_OPERATIONS,
];

/** Operations that only a group workspace has. */
const IN_GROUPS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/datasets/{dataset}/Default.TakeOver',
    operation: 'TakeOver',
    summary: 'Makes the caller the owner of a dataset',
    needs: 'datasetWrite',
    code: takeOverDataset,
  },
  {
    method: 'GET',
    path: '/datasets/upstreamDataflows',
    operation: 'GetUpstreamDataflows',
    summary: 'The dataflows on which the datasets of a workspace depend',
    needs: 'datasetRead',
    code: listUpstreamDataflows,
  },
];

/** The further operations on a dataset, besides its tables and rows. */
export const partsRoutes: readonly Route[] = [...workspaceRoutes(PARTS), ...groupRoutes(IN_GROUPS)];
