import { type Grantee, inherited, permissionsFor, shared } from '../access/grants.ts';
import { type DatasetRight, type Permission, rightWith } from '../access/permissions.ts';
import type { Principal } from '../access/principal.ts';
import type { Workspace } from '../collections.ts';
import type { Dataset } from '../model/types.ts';

/** Permissions from the entries of one principal. Group memberships are not included, because only a caller's token lists them. */
export interface Held {
  readonly inherited: ReadonlySet<Permission>;
  readonly shared: ReadonlySet<Permission>;
  readonly all: ReadonlySet<Permission>;
}

export function rightsHeldBy(dataset: Dataset, workspace: Workspace | undefined, { principalId }: Principal): Held {
  const grantee: Grantee = {
    tenantId: dataset.tenantId.toLowerCase(),
    objectId: principalId,
    principals: new Set([principalId]),
  };
  return {
    inherited: inherited(workspace, grantee),
    shared: shared(dataset, grantee),
    all: permissionsFor(dataset, workspace, grantee),
  };
}

export interface EffectiveUser {
  readonly principal: Principal;
  readonly right: DatasetRight;
}

/** All users with access, through the workspace or through sharing, with their combined right. */
export function effectiveUsers(dataset: Dataset, workspace: Workspace | undefined): readonly EffectiveUser[] {
  const people = new Map<string, Principal>();
  for (const each of [...(workspace?.users ?? []), ...(dataset.users ?? [])])
    if (!people.has(each.principalId)) people.set(each.principalId, each);
  return [...people.values()].map((principal) => ({
    principal,
    right: rightWith(rightsHeldBy(dataset, workspace, principal).all),
  }));
}
