import type { Operation } from '../operation.ts';
import { addDatasetUser, updateDatasetUser } from './change.ts';
import { listDatasetUsers } from './list.ts';

export const USER_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: '/datasets/{dataset}/users',
    operation: 'GetUsers',
    summary: 'The users of a dataset and their permissions',
    needs: 'datasetUsersRead',
    code: listDatasetUsers,
  },
  {
    method: 'POST',
    path: '/datasets/{dataset}/users',
    operation: 'PostUser',
    summary: 'Shares a dataset with a user, or adds to the permissions of a user',
    needs: 'datasetUsersAdd',
    code: addDatasetUser,
  },
  {
    method: 'PUT',
    path: '/datasets/{dataset}/users',
    operation: 'PutUser',
    summary: 'Replaces the permissions of a user with whom a dataset is shared',
    needs: 'datasetUsersChange',
    code: updateDatasetUser,
  },
];
