import type { Reader } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { isAdminOf, nameOf } from '../../access/standing.ts';
import { hasRole, SERVICE_PRINCIPAL_USER } from '../../accounts/roles.ts';
import { membersOf, textOf } from '../../engine/json.ts';
import { errors } from '../../errors.ts';
import { callerIdentity, type PlatformCall, workspaceIn } from '../../jar.ts';
import type { AclEntry } from '../../permissions/acl.ts';
import { readEntries, userNamed } from '../../permissions/entries.ts';
import { creatorAcl } from '../../permissions/guard.ts';
import { invalid } from '../settings/rules.ts';

/** Users and service principals that settings name. */

/**
 * The permissions of a new job or submitted run: the entries of the request, and an owner, who is the caller unless the entries name
 * another owner.
 */
export async function aclOf(
  reader: Reader,
  call: PlatformCall,
  sent: JsonMembers[string],
): Promise<readonly AclEntry[]> {
  const own = creatorAcl(call, 'jobs');
  if (sent === undefined) return own;
  const entries = await readEntries(reader, workspaceIn(call), { type: 'jobs', id: '' }, { access_control_list: sent });
  const owners = entries.filter(({ level }) => level === 'IS_OWNER').length;
  if (owners > 1) throw invalid('The job must have exactly one owner.');
  if (owners === 1) return entries;
  return [...entries.filter(({ principal }) => own.every((each) => each.principal !== principal)), ...own];
}

/**
 * The principal that runs act as. Administrators may choose any principal; other callers may choose themselves, or service principals on
 * which they have the user role.
 */
export async function runAsOf(
  reader: Reader,
  call: PlatformCall,
  sent: JsonMembers[string],
): Promise<string | undefined> {
  if (sent === undefined) return undefined;
  const { user_name: user, service_principal_name: program, group_name: group } = membersOf(sent);
  if (group !== undefined || (user === undefined) === (program === undefined))
    throw invalid('run_as must have exactly one of user_name and service_principal_name.');
  const kind = user === undefined ? 'servicePrincipal' : 'user';
  const found = await userNamed(reader, workspaceIn(call), textOf(user ?? program) ?? '', kind);
  const { principal } = callerIdentity(call);
  const isAllowed =
    found.id === principal.id ||
    isAdminOf(callerIdentity(call), workspaceIn(call)) ||
    (kind === 'servicePrincipal' && (await hasRole(reader, callerIdentity(call), found.id, SERVICE_PRINCIPAL_USER)));
  if (!isAllowed)
    throw errors.PERMISSION_DENIED({
      reason: `User ${nameOf(principal)} does not have permission to set run_as to ${nameOf(found)}.`,
    });
  if (!found.active) throw invalid(`run_as: ${nameOf(found)} is deactivated.`);
  return found.id;
}
