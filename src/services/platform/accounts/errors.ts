import { errorTable } from '../../../kernel/http/index.ts';

export const table = errorTable({
  INVALID_PARAMETER_VALUE__circle: [400, "Group '{group}' cannot contain {member}: the groups would form a cycle."],
  INVALID_PARAMETER_VALUE__lastAdmin: [
    400,
    'The last active administrator of the workspace {workspace} cannot be removed.',
  ],
  INVALID_PARAMETER_VALUE__lastAccountAdmin: [
    400,
    'The last active administrator of the account {account} cannot be removed.',
  ],
});

/** Errors shared by all APIs that change identities. `target` is the type of the error in SCIM. */
export const identityErrors = {
  circle: (values: { readonly group: string; readonly member: string }) =>
    table.INVALID_PARAMETER_VALUE__circle(values, { target: 'invalidValue' }),
  lastAdmin: (values: { readonly workspace: string }) =>
    table.INVALID_PARAMETER_VALUE__lastAdmin(values, { target: 'invalidValue' }),
  lastAccountAdmin: (values: { readonly account: string }) =>
    table.INVALID_PARAMETER_VALUE__lastAccountAdmin(values, { target: 'invalidValue' }),
};
