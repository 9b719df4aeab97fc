import type { Reader } from '../../../kernel/store/index.ts';
import { isAdminOf } from '../access/standing.ts';
import { entitlements } from '../accounts/collections.ts';
import { callerIdentity, type PlatformCall, workspaceIn } from '../jar.ts';
import { computeErrors } from './errors.ts';

type Entitlement = 'allow-cluster-create' | 'allow-instance-pool-create';

/** Throws unless the caller is an administrator, or is entitled to create compute, directly or through a group. */
export async function checkMayCreateCompute(
  reader: Reader,
  call: Pick<PlatformCall, 'facts'>,
  what: string,
  needed: Entitlement = 'allow-cluster-create',
): Promise<void> {
  const standing = callerIdentity(call);
  const workspace = workspaceIn(call);
  if (isAdminOf(standing, workspace)) return;
  for (const id of standing.ids) {
    const held = (await reader.get(entitlements, `${workspace.id}/${id}`, 'none'))?.value;
    if (held?.entitlements.includes(needed)) return;
  }
  throw computeErrors.PERMISSION_DENIED__MayNotCreate({ what });
}
