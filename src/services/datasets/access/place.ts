import type { Caller } from '../../../kernel/auth/index.ts';
import {
  personalKey,
  WORKSPACE_RIGHTS,
  type Workspace,
  type WorkspaceRight,
  type WorkspaceUser,
  workspaces,
} from '../collections.ts';
import { errors } from '../errors.ts';
import type { DatasetsCall } from '../jar.ts';
import { NEEDS, type Needs } from './needs.ts';
import type { Place } from './types.ts';

/** A step of the family, behind the one that authenticates: finds the workspace, and refuses callers without the right that the operation needs. */
export async function findPlace(call: DatasetsCall): Promise<void> {
  const { needs: name } = call.route.traits ?? {};
  if (name === undefined) return;
  const { right: needed }: Needs = NEEDS[name];
  if (needed === undefined) return;
  const place = await placeOf(call, callerOf(call));
  if (rank(place.right) < rank(needed)) {
    const reason = `This needs the right ${needed} in the workspace, and yours is ${place.right}.`;
    throw errors.PowerBINotAuthorizedException({ reason });
  }
  call.facts.place = place;
}

async function placeOf(call: DatasetsCall, caller: Caller): Promise<Place> {
  const { store } = call.jar;
  const { group } = call.params;
  if (group === undefined) {
    if (caller.kind === 'application') throw errors.ServicePrincipalHasNoMyWorkspace({ group: '{groupId}' });
    const key = personalKey(caller.objectId);
    return { key, workspace: (await store.cached(workspaces, key))?.value, right: 'Admin' };
  }
  const key = group.toLowerCase();
  const workspace = (await store.cached(workspaces, key))?.value;
  const right = workspace?.kind === 'group' ? rightIn(workspace, caller) : undefined;
  // Whoever has no part in a workspace is not told that it exists.
  if (!workspace || !right) throw errors.PowerBIEntityNotFound({ what: 'workspace', id: group.slice(0, 100) });
  return { key, workspace, right };
}

function rightIn({ tenantId, users }: Workspace, caller: Caller): WorkspaceRight | undefined {
  if (tenantId.toLowerCase() !== caller.tenantId.toLowerCase()) return undefined;
  const id = caller.objectId.toLowerCase();
  return users.find(({ principalId }) => principalId === id)?.right;
}

const rank = (right: WorkspaceRight): number => WORKSPACE_RIGHTS.indexOf(right);

export function callerOf({ caller }: Pick<DatasetsCall, 'caller'>): Caller {
  if (!caller) throw new Error('nobody is known to make this call: the step that authenticates has not run');
  return caller;
}

export function placeIn({ facts }: Pick<DatasetsCall, 'facts'>): Place {
  if (!facts.place) throw new Error('this operation declares no right in a workspace');
  return facts.place;
}

/** The caller as the first user of a workspace. */
export const ownerOf = ({ kind, objectId, name }: Caller): WorkspaceUser => ({
  principalId: objectId.toLowerCase(),
  principalType: kind === 'user' ? 'User' : 'App',
  right: 'Admin',
  identifier: kind === 'user' ? name : objectId,
  displayName: name,
});
