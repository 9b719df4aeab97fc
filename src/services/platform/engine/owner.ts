import type { Tx } from '../../../kernel/store/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import { isAdminOf } from '../access/standing.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall, workspaceIn } from '../jar.ts';
import { userNamed } from '../permissions/entries.ts';
import { typeRow } from '../permissions/levels.ts';
import type { ObjectKind } from './kind.ts';
import type { PlatformObject } from './objects.ts';

/** Transfers an object to another owner, who then manages it; only administrators may do so. */
export async function transferOwner(
  tx: Tx,
  call: PlatformCall,
  { ownerField, permissions }: ObjectKind,
  { createdBy, owner = createdBy, acl = [] }: PlatformObject,
  sent: unknown,
): Promise<Pick<PlatformObject, 'owner' | 'acl'>> {
  const named = ownerField !== undefined && isObject(sent) ? sent[ownerField] : undefined;
  if (named === undefined || named === null || !permissions) return {};
  if (typeof named !== 'string')
    throw errors.MALFORMED_REQUEST({
      reason: `Could not parse request object: the field '${ownerField}' must be a string.`,
    });
  const { id, kind } = await userNamed(tx, workspaceIn(call), named);
  if (id === owner) return {};
  if (!isAdminOf(callerIdentity(call), workspaceIn(call)))
    throw errors.PERMISSION_DENIED({ reason: 'Only administrators can transfer the ownership of objects.' });
  const level = typeRow(permissions.type).levels.at(-1) as string;
  return { owner: id, acl: [...acl.filter(({ principal }) => principal !== id), { kind, principal: id, level }] };
}
