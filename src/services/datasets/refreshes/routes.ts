import type { Operation } from '../operation.ts';
import { listRefreshes, refuseRefresh } from './history.ts';

export const REFRESH_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: '/datasets/{dataset}/refreshes',
    operation: 'GetRefreshHistory',
    summary: 'The refreshes of a dataset; always empty, because rows are pushed',
    needs: 'datasetRead',
    code: listRefreshes,
  },
  {
    method: 'POST',
    path: '/datasets/{dataset}/refreshes',
    operation: 'Refresh',
    summary: 'Refused: a push dataset cannot be refreshed',
    needs: 'datasetWrite',
    code: refuseRefresh,
  },
  {
    method: 'GET',
    path: '/datasets/{dataset}/refreshSchedule',
    operation: 'GetRefreshSchedule',
    summary: 'Refused: a push dataset cannot be refreshed',
    needs: 'datasetRead',
    code: refuseRefresh,
  },
  {
    method: 'PATCH',
    path: '/datasets/{dataset}/refreshSchedule',
    operation: 'UpdateRefreshSchedule',
    summary: 'Refused: a push dataset cannot be refreshed',
    needs: 'datasetOwn',
    code: refuseRefresh,
  },
];
