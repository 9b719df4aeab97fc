import type { Reader } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { isAdminOf, nameOf } from '../../access/standing.ts';
import type { Principal, PrincipalKind } from '../../accounts/collections.ts';
import { byLogin } from '../../accounts/principals.ts';
import { listOf, membersOf, textOf } from '../../engine/json.ts';
import { errors } from '../../errors.ts';
import { accountIn, type PlatformCall, standingIn, workspaceIn } from '../../jar.ts';
import { type AclEntry, creatorAcl } from '../../permissions/guard.ts';
import { OBJECT_TYPES } from '../../permissions/levels.ts';
import { invalid } from '../settings/rules.ts';

/** People and programs that settings name. */

const FIELDS: Readonly<Record<string, PrincipalKind>> = {
  user_name: 'user',
  group_name: 'group',
  service_principal_name: 'servicePrincipal',
};

const LEVELS: readonly string[] = OBJECT_TYPES.jobs.levels;

/** The one principal that an entry names. */
async function principalIn(reader: Reader, call: PlatformCall, entry: JsonMembers, path: string): Promise<Principal> {
  const named = Object.keys(FIELDS).filter((field) => entry[field] !== undefined);
  const [field] = named;
  if (field === undefined || named.length > 1)
    throw invalid(`${path} must name exactly one of ${Object.keys(FIELDS).join(', ')}.`);
  const name = textOf(entry[field]) ?? '';
  const kind = FIELDS[field] as PrincipalKind;
  const { id } = accountIn(call);
  const found =
    (await byLogin(reader, id, kind, name)) ??
    (kind === 'group' ? await byLogin(reader, id, kind, name, workspaceIn(call).id) : undefined);
  if (!found)
    throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `Principal: ${kind}(${name.slice(0, 200)}) does not exist` });
  return found;
}

/** The permissions of a new job or submitted run: those that were sent, and an owner, who is the caller unless the list names another. */
export async function aclOf(
  reader: Reader,
  call: PlatformCall,
  sent: JsonMembers[string],
): Promise<readonly AclEntry[]> {
  const entries = new Map<string, AclEntry>();
  for (const [index, each] of listOf(sent).entries()) {
    const path = `access_control_list[${index}]`;
    const entry = membersOf(each);
    const level = textOf(entry.permission_level) ?? '';
    if (!LEVELS.includes(level))
      throw invalid(`${path}.permission_level must be one of: ${LEVELS.join(',')}; it is '${level.slice(0, 100)}'.`);
    const { id, kind } = await principalIn(reader, call, entry, path);
    if (entries.has(id)) throw invalid(`${path} names a principal that the list has already.`);
    if (level === 'IS_OWNER' && kind === 'group') throw invalid(`${path}: a group cannot own a job.`);
    entries.set(id, { kind, principal: id, level });
  }
  const owners = [...entries.values()].filter(({ level }) => level === 'IS_OWNER');
  if (owners.length > 1) throw invalid('The job must have exactly one owner.');
  if (owners.length === 0) for (const entry of creatorAcl(call, 'jobs')) entries.set(entry.principal, entry);
  return [...entries.values()];
}

/** As whom runs act. Only administrators let runs act as somebody else than themselves. */
export async function runAsOf(
  reader: Reader,
  call: PlatformCall,
  sent: JsonMembers[string],
): Promise<string | undefined> {
  if (sent === undefined) return undefined;
  const entry = membersOf(sent);
  if (entry.group_name !== undefined) throw invalid('run_as cannot be a group.');
  const found = await principalIn(reader, call, entry, 'run_as');
  const { principal } = standingIn(call);
  if (found.id !== principal.id && !isAdminOf(standingIn(call), workspaceIn(call)))
    throw errors.PERMISSION_DENIED({
      reason: `User ${nameOf(principal)} does not have permission to set run_as to ${nameOf(found)}.`,
    });
  if (!found.active) throw invalid(`run_as: ${nameOf(found)} is deactivated.`);
  return found.id;
}
