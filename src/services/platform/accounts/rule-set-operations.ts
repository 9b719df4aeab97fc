import { routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { getRuleSet, listAssignableRoles, updateRuleSet } from './rule-sets.ts';

/** The handlers check permissions with the rule set itself: a manager of a service principal need not administer the account. */
function operations(prefix: string, name: string): readonly Operation[] {
  const path = `/preview/accounts${prefix}/access-control`;
  return [
    {
      method: 'GET',
      path: `${path}/rule-sets`,
      needs: 'user',
      operation: `${name}_getRuleSet`,
      summary: 'Read the role assignments on the account, a group or a service principal',
      code: routeCode([], { handle: getRuleSet }),
    },
    {
      method: 'PUT',
      path: `${path}/rule-sets`,
      needs: 'user',
      operation: `${name}_updateRuleSet`,
      summary: 'Replace the role assignments on the account, a group or a service principal',
      code: routeCode([], { handle: updateRuleSet }),
    },
    {
      method: 'GET',
      path: `${path}/assignable-roles`,
      needs: 'user',
      operation: `${name}_getAssignableRoles`,
      summary: 'List the roles that can be assigned on a resource of the account',
      code: routeCode([], { handle: listAssignableRoles }),
    },
  ];
}

export const RULE_SET_OPERATIONS: readonly Operation[] = [
  ...operations('/{account_id}', 'accountAccessControl'),
  ...operations('', 'accountAccessControlProxy'),
];
