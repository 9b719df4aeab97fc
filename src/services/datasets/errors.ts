import { errorTable } from '../../kernel/http/index.ts';

/** All errors of push datasets. The key is the error code, or the code plus `__` and a suffix if one code has several messages. */
export const errors = errorTable({
  /** The family renders it with one detail per mistake: see `badRequest`. */
  BadRequest: [400, 'Bad Request'],
  InvalidRequest: [400, '{reason}'],
  InvalidRequest__Principal: [
    400,
    "Parameter PrincipalType or Identifier is missing or invalid: your organization has no such principal as '{identifier}'.",
  ],
  InvalidRequest__NotRefreshable: [400, 'Invalid dataset. This API can only be called on a Model-based dataset'],
  UnsupportedAccessRightError: [400, "The access right '{right}' cannot be granted here: {reason}."],
  AddingAlreadyExistsGroupUserNotSupportedError: [
    400,
    "'{identifier}' is already a user of the workspace. Use PUT to change their right.",
  ],
  InheritedPermissions: [
    400,
    "'{identifier}' has the permissions {permissions} through a right in the workspace; they cannot be removed here.",
  ],
  CannotRemoveLastAdmin: [
    400,
    "'{identifier}' is the last administrator of the workspace; a workspace needs at least one.",
  ],
  /** The family renders it in the query engine's format: see `family.ts`. */
  DatasetExecuteQueriesError: [400, '{reason}'],
  PowerBINotAuthorizedException: [401, '{reason}'],
  TokenExpired: [403, 'Access token has expired, resubmit with a new access token'],
  DatasetReadScopeMissing: [403, "The token of '{name}' needs the scope Dataset.Read.All or Dataset.ReadWrite.All."],
  DatasetWriteScopeMissing: [403, "The token of '{name}' needs the scope Dataset.ReadWrite.All."],
  WorkspaceReadScopeMissing: [
    403,
    "The token of '{name}' needs the scope Workspace.Read.All or Workspace.ReadWrite.All.",
  ],
  WorkspaceWriteScopeMissing: [403, "The token of '{name}' needs the scope Workspace.ReadWrite.All."],
  ServicePrincipalHasNoMyWorkspace: [
    403,
    'A service principal has no "My workspace". Use /v1.0/myorg/groups/{group}/… with a workspace that it is a member of.',
  ],
  PowerBIEntityNotFound: [404, "There is no {what} '{id}', or the caller has no access to it."],
  ItemNotFound: [404, "The dataset has no table '{table}'. Names of tables are case-sensitive."],
  PowerBIEntityAlreadyExists: [409, "A workspace with the name '{name}' already exists."],
  RowLimitExceeded: [
    409,
    'The table has {current} rows; {count} more would exceed its maximum of {maximum}. Delete rows, or create the dataset with defaultRetentionPolicy=basicFIFO.',
  ],
  TooManyRequests: [429, '{reason}'],
});
