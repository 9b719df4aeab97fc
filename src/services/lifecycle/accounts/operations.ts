import type { Operation } from '../operation.ts';

const profile = () => import('./profile.ts');

export const PROFILE_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: '/user',
    operation: 'users_get',
    summary: 'The profile of the user whose token it is',
    needs: 'accountRead',
    livesOn: true,
    code: async () => (await profile()).getUser,
  },
  {
    method: 'PATCH',
    path: '/user',
    operation: 'users_update',
    summary: 'Changes the display name of the user',
    needs: 'account',
    code: async () => (await profile()).updateUser,
  },
  {
    method: 'GET',
    path: '/user/metadata/optimizely',
    operation: 'users_getUserMetadata',
    summary: 'What is tried out on the user: nothing',
    needs: 'accountRead',
    code: async () => (await profile()).getUserMetadata,
  },
];
