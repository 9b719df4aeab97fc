import type { Operation } from '../operation.ts';
import { createAppToken, deleteAppToken, listAppTokens } from './app-tokens.ts';
import { createUserToken, deleteUserToken, listUserTokens } from './user-tokens.ts';

/** Needed to reach diagnostics and analytics, so it is retired together with them. */
export const TOKEN_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: '/api_tokens',
    operation: 'userApiTokens_list',
    summary: 'The API tokens of the user, without their secrets',
    needs: 'account',
    survivesRetirement: true,
    code: listUserTokens,
  },
  {
    method: 'POST',
    path: '/api_tokens',
    operation: 'userApiTokens_create',
    summary: 'Creates an API token with the rights of the user; its secret is shown only in this response',
    needs: 'account',
    survivesRetirement: true,
    code: createUserToken,
  },
  {
    method: 'DELETE',
    path: '/api_tokens/{api_token_id}',
    operation: 'userApiTokens_delete',
    summary: 'Revokes an API token of the user, at once',
    needs: 'account',
    survivesRetirement: true,
    code: deleteUserToken,
  },
  {
    method: 'GET',
    path: '/apps/{owner_name}/{app_name}/api_tokens',
    operation: 'appApiTokens_list',
    summary: 'The API tokens of the app, without their secrets',
    needs: 'appDevelop',
    survivesRetirement: true,
    code: listAppTokens,
  },
  {
    method: 'POST',
    path: '/apps/{owner_name}/{app_name}/api_tokens',
    operation: 'appApiTokens_create',
    summary: 'Creates an API token for this app only: administrators can create full tokens, developers read-only ones',
    needs: 'appDevelop',
    survivesRetirement: true,
    code: createAppToken,
  },
  {
    method: 'DELETE',
    path: '/apps/{owner_name}/{app_name}/api_tokens/{api_token_id}',
    operation: 'appApiTokens_delete',
    summary: 'Revokes an API token of the app, at once; tokens of other users only as a manager',
    needs: 'appDevelop',
    survivesRetirement: true,
    code: deleteAppToken,
  },
];
