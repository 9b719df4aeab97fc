import type { Operation } from '../operation.ts';
import { addDatasetUser, updateDatasetUser } from './change.ts';
import { listDatasetUsers } from './list.ts';

export const USER_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: '/datasets/{dataset}/users',
    operation: 'GetUsers',
    summary: 'Everybody who has access to a dataset, and which',
    needs: 'datasetUsersRead',
    code: listDatasetUsers,
  },
  {
    method: 'POST',
    path: '/datasets/{dataset}/users',
    operation: 'PostUser',
    summary: 'Shares a dataset with somebody, or adds to their permissions',
    needs: 'datasetUsersAdd',
    code: addDatasetUser,
  },
  {
    method: 'PUT',
    path: '/datasets/{dataset}/users',
    operation: 'PutUser',
    summary: 'Replaces the permissions of somebody with whom a dataset is shared',
    needs: 'datasetUsersChange',
    code: updateDatasetUser,
  },
];
