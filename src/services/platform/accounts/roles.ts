import type { Stored } from '../../../kernel/store/index.ts';
import type { CallerIdentity } from '../access/standing.ts';
import { type PrincipalKind, type RuleSet, ruleSetKey, ruleSets } from './collections.ts';

/** Roles on an account, on its groups and on its service principals, assigned by rule sets. */

export const SERVICE_PRINCIPAL_MANAGER = 'roles/servicePrincipal.manager';
export const SERVICE_PRINCIPAL_USER = 'roles/servicePrincipal.user';
export const GROUP_MANAGER = 'roles/group.manager';

/**
 * Roles that can be assigned on each kind of resource. Most account roles are only stored and shown: their effects are not implemented yet.
 */
export const ASSIGNABLE_ROLES: Readonly<Record<'account' | Exclude<PrincipalKind, 'user'>, readonly string[]>> = {
  account: [
    'roles/marketplace.admin',
    'roles/billing.admin',
    'roles/tagPolicy.creator',
    'roles/tagPolicy.manager',
    'roles/budgetPolicy.creator',
    'roles/budgetPolicy.manager',
    GROUP_MANAGER,
    SERVICE_PRINCIPAL_MANAGER,
    SERVICE_PRINCIPAL_USER,
  ],
  group: [GROUP_MANAGER],
  servicePrincipal: [SERVICE_PRINCIPAL_MANAGER, SERVICE_PRINCIPAL_USER],
};

interface RoleReader {
  get(from: typeof ruleSets, key: string): Promise<Stored<RuleSet> | undefined>;
}

/** Whether a principal, or a group that contains it, has a role on a group or service principal, or on the whole account. */
export async function hasRole(
  reader: RoleReader,
  { principal: { accountId }, ids }: Pick<CallerIdentity, 'principal' | 'ids'>,
  on: string,
  role: string,
): Promise<boolean> {
  for (const scope of [{ accountId, principal: on }, { accountId }]) {
    const rules = (await reader.get(ruleSets, ruleSetKey(scope)))?.value.rules ?? [];
    if (rules.some((rule) => rule.role === role && rule.principals.some((id) => ids.includes(id)))) return true;
  }
  return false;
}
