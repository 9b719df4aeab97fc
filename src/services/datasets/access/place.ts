import { personalKey, WORKSPACE_RIGHTS, workspaces } from '../collections.ts';
import { errors } from '../errors.ts';
import type { DatasetsCall } from '../jar.ts';
import type { Dataset } from '../model/types.ts';
import { callerOf, granteeOf } from './caller.ts';
import { type Grantee, inherited, isOwner, permissionsFor, roleIn } from './grants.ts';
import { datasetNotFound, readDataset, workspaceNotFound } from './lookup.ts';
import { NEEDS, type Needs } from './needs.ts';
import { lacking, type Permission, permissionsOf } from './permissions.ts';
import { ROLES } from './roles.ts';
import type { Place } from './types.ts';

/** Family step after authentication: finds the workspace and the dataset, and rejects callers without the required permissions. */
export async function findPlace(call: DatasetsCall): Promise<void> {
  const { needs: name } = call.route.traits ?? {};
  if (name === undefined) return;
  const needs: Needs = NEEDS[name];
  if (!needs.workspace && !needs.dataset) return;
  call.facts.place = await placeFor(call, needs);
}

async function placeFor(call: DatasetsCall, needs: Needs): Promise<Place> {
  const grantee = granteeOf(call);
  const { group, dataset: id } = call.params;
  const dataset = id === undefined ? undefined : await readDataset(call, id);
  const place = group === undefined ? await ownPlace(call, grantee, dataset) : await groupPlace(call, grantee, group);
  if (id === undefined) return checked(place, needs);
  if (!dataset || dataset.workspace !== place.key) throw datasetNotFound(id);
  const permissions = permissionsFor(dataset, place.workspace, grantee);
  // A caller without Read permission gets 404, so that the dataset's existence is not revealed.
  if (!permissions.has('Read')) throw datasetNotFound(id);
  if (needs.hides && lacking(permissions, needs.dataset ?? []).length > 0) throw datasetNotFound(id);
  if (needs.owner && !isOwner(dataset, grantee)) throw forbidden('Only the owner of the dataset may do this.');
  return checked({ ...place, permissions }, needs);
}

/** No workspace in the URL: uses the dataset's workspace if the caller may read it, otherwise "My workspace". */
async function ownPlace(call: DatasetsCall, grantee: Grantee, dataset: Dataset | undefined): Promise<Place> {
  if (callerOf(call).kind === 'application') throw errors.ServicePrincipalHasNoMyWorkspace({ group: '{groupId}' });
  const key = dataset?.workspace ?? personalKey(grantee.objectId);
  const workspace = (await call.jar.store.cached(workspaces, key))?.value;
  if (dataset) return { key, workspace, workspacePermissions: [], permissions: inherited(workspace, grantee) };
  const { workspace: workspacePermissions, datasets } = ROLES.Admin;
  return { key, workspace, workspacePermissions, permissions: new Set(permissionsOf(datasets)) };
}

async function groupPlace({ jar }: DatasetsCall, grantee: Grantee, group: string): Promise<Place> {
  const key = group.toLowerCase();
  const workspace = (await jar.store.cached(workspaces, key))?.value;
  const role = workspace?.kind === 'group' ? roleIn(workspace, grantee) : undefined;
  // A caller without a role in the workspace gets 404, so that its existence is not revealed.
  if (!role) throw workspaceNotFound(group);
  return { key, workspace, workspacePermissions: ROLES[role].workspace, permissions: inherited(workspace, grantee) };
}

function checked(place: Place, { workspace, dataset = [] }: Needs): Place {
  if (workspace && !place.workspacePermissions.includes(workspace))
    throw forbidden(`This needs the permission ${workspace} in the workspace.`);
  const missing = lacking(place.permissions, dataset);
  if (missing.length === 0) return place;
  const needed = `${dataset.join(', ')}, which a ${lowestRight(dataset)} of the workspace has`;
  throw forbidden(`This needs the permissions ${needed}; yours lack ${missing.join(', ')}.`);
}

const lowestRight = (wanted: readonly Permission[]) =>
  WORKSPACE_RIGHTS.find((right) => lacking(new Set(permissionsOf(ROLES[right].datasets)), wanted).length === 0);

const forbidden = (reason: string) => errors.PowerBINotAuthorizedException({ reason });

export function placeIn({ facts }: Pick<DatasetsCall, 'facts'>): Place {
  if (!facts.place) throw new Error('this operation declares no right in a workspace');
  return facts.place;
}
