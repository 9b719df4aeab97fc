import type { Operation } from '../operation.ts';
import { getUser, getUserMetadata, updateUser } from './profile.ts';

export const PROFILE_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: '/user',
    operation: 'users_get',
    summary: 'The profile of the user who owns the token',
    needs: 'accountRead',
    survivesRetirement: true,
    code: getUser,
  },
  {
    method: 'PATCH',
    path: '/user',
    operation: 'users_update',
    summary: 'Changes the display name of the user',
    needs: 'account',
    code: updateUser,
  },
  {
    method: 'GET',
    path: '/user/metadata/optimizely',
    operation: 'users_getUserMetadata',
    summary: 'Experiments that include the user; always empty',
    needs: 'accountRead',
    code: getUserMetadata,
  },
];
