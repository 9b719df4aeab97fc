import type { Tx } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { isAdminOf, nameOf } from '../access/standing.ts';
import { DESTINATIONS } from '../destinations/kind.ts';
import { listOf, membersOf, textOf } from '../engine/json.ts';
import { objectKey, objects } from '../engine/objects.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall, workspaceIn } from '../jar.ts';
import { userNamed } from '../permissions/entries.ts';

/** Validation of version 2 alerts beyond the types of fields. */

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });

const UNARY: readonly unknown[] = ['IS_NULL', 'IS_NOT_NULL'];

export function checkThreshold({ comparison_operator, threshold }: JsonMembers): void {
  if (threshold === undefined) {
    if (UNARY.includes(comparison_operator)) return;
    throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'evaluation.threshold' });
  }
  const { column, value } = membersOf(threshold);
  if ((column === undefined) === (value === undefined))
    throw invalid("The field 'evaluation.threshold' must have either a column or a value.");
  if (value !== undefined && Object.keys(membersOf(value)).length !== 1)
    throw invalid("The field 'evaluation.threshold.value' must have exactly one value.");
}

export async function checkSubscriptions(tx: Tx, workspaceId: string, { notification }: JsonMembers): Promise<void> {
  for (const each of listOf(membersOf(notification).subscriptions).map(membersOf)) {
    const { user_email, destination_id } = each;
    if ((user_email === undefined) === (destination_id === undefined))
      throw invalid("Each of 'evaluation.notification.subscriptions' must have either user_email or destination_id.");
    const id = textOf(destination_id);
    if (id !== undefined && !(await tx.get(objects, objectKey(workspaceId, DESTINATIONS.name, id), 'none')))
      throw invalid(`There is no notification destination '${id.slice(0, 100)}'.`);
  }
}

/**
 * The principal that the alert runs as, from the current and the older field. Users may name only themselves; administrators may also name
 * service principals.
 */
export async function runAsIn(
  tx: Tx,
  call: PlatformCall,
  { run_as, run_as_user_name }: JsonMembers,
  before: JsonMembers | undefined,
): Promise<JsonMembers> {
  const older = textOf(run_as_user_name);
  const { principal } = callerIdentity(call);
  const isOwn = older === principal.userName;
  const sent =
    run_as ?? (older === undefined ? undefined : { [isOwn ? 'user_name' : 'service_principal_name']: older });
  const kept = { run_as: sent, run_as_user_name: undefined };
  if (sent === undefined || JSON.stringify(sent) === JSON.stringify(before?.run_as)) return kept;
  const { user_name, service_principal_name } = membersOf(sent);
  if ((user_name === undefined) === (service_principal_name === undefined))
    throw invalid("The field 'run_as' must have exactly one of user_name and service_principal_name.");
  const denied = (name: string) =>
    errors.PERMISSION_DENIED({
      reason: `User ${nameOf(principal)} does not have permission to set run_as to ${name}.`,
    });
  const user = textOf(user_name);
  if (user !== undefined && user !== principal.userName) throw denied(user.slice(0, 200));
  if (user !== undefined) return kept;
  const name = textOf(service_principal_name) ?? '';
  await userNamed(tx, workspaceIn(call), name, 'servicePrincipal');
  if (principal.applicationId === name || isAdminOf(callerIdentity(call), workspaceIn(call))) return kept;
  throw denied(name.slice(0, 200));
}
