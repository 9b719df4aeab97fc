import { inherited, permissionsFor, type Somebody, shared } from '../access/grants.ts';
import { type DatasetRight, type Permission, rightWith } from '../access/permissions.ts';
import type { Principal } from '../access/principal.ts';
import type { Workspace } from '../collections.ts';
import type { Dataset } from '../model/types.ts';

/** What the entries of one principal give, without the groups that they may be in: nobody but a caller's token knows those. */
export interface Held {
  readonly inherited: ReadonlySet<Permission>;
  readonly shared: ReadonlySet<Permission>;
  readonly all: ReadonlySet<Permission>;
}

export function heldBy(dataset: Dataset, workspace: Workspace | undefined, { principalId }: Principal): Held {
  const somebody: Somebody = {
    tenantId: dataset.tenantId.toLowerCase(),
    objectId: principalId,
    principals: new Set([principalId]),
  };
  return {
    inherited: inherited(workspace, somebody),
    shared: shared(dataset, somebody),
    all: permissionsFor(dataset, workspace, somebody),
  };
}

export interface EffectiveUser {
  readonly principal: Principal;
  readonly right: DatasetRight;
}

/** Everybody who has access, by the workspace or because the dataset is shared with them, with all that they may do. */
export function effectiveUsers(dataset: Dataset, workspace: Workspace | undefined): readonly EffectiveUser[] {
  const people = new Map<string, Principal>();
  for (const each of [...(workspace?.users ?? []), ...(dataset.users ?? [])])
    if (!people.has(each.principalId)) people.set(each.principalId, each);
  return [...people.values()].map((principal) => ({
    principal,
    right: rightWith(heldBy(dataset, workspace, principal).all),
  }));
}
