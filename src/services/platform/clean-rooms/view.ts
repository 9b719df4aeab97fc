import { allOf, eq, type Reader } from '../../../kernel/store/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { visibilityFilter } from '../catalog/core/access.ts';
import { below, byId, type Chain } from '../catalog/core/chain.ts';
import { metastoreIn } from '../catalog/core/metastore.ts';
import { listOf, type Securable, securables } from '../catalog/core/securables.ts';
import { namesOf } from '../engine/names.ts';
import { pageSize, readPage } from '../engine/paging.ts';
import { accountIn, type PlatformCall } from '../jar.ts';
import { type CentralRoom, type Collaborator, centralRooms } from './collections.ts';
import { type Room, statusOf } from './find.ts';
import { localOf } from './kind.ts';

/** Clean rooms on the wire. While a clean room is being set up, only a few fields are shown. */
export async function roomView(call: PlatformCall, room: Room, { detailed = true } = {}): Promise<JsonMembers> {
  const { chain, central, alias } = room;
  const { target } = chain;
  const status = statusOf(room);
  const { nameOf } = await namesOf(call.jar.store, accountIn(call).id, [target.owner]);
  const head = {
    name: target.name,
    owner: nameOf(target.owner),
    comment: target.fields.comment,
    created_at: target.createdAt,
    status,
  };
  if (status === 'PROVISIONING') return omitAbsent(head);
  return omitAbsent({
    ...head,
    updated_at: Math.max(target.updatedAt, central?.updatedAt ?? 0),
    access_restricted: 'NO_RESTRICTION',
    local_collaborator_alias: alias,
    enable_shared_output: central?.sharesOutput ?? false,
    output_catalog: await outputCatalogView(call.jar.store, room),
    remote_detailed_info: detailed && central ? detailView(central, alias === central.creator) : undefined,
  });
}

export async function outputCatalogView(reader: Reader, room: Room): Promise<JsonMembers> {
  const catalog = await outputCatalogOf(reader, room.chain.target);
  if (catalog) return { catalog_name: catalog.name, status: 'CREATED' };
  return { status: statusOf(room) === 'ACTIVE' ? 'NOT_CREATED' : 'NOT_ELIGIBLE' };
}

/** The output catalog of a collaborator's clean room, while it exists. */
export async function outputCatalogOf(reader: Reader, local: Securable): Promise<Securable | undefined> {
  const { outputCatalog: id } = localOf(local);
  return id === undefined ? undefined : byId(reader, id);
}

const detailView = (central: CentralRoom, isForCreator: boolean): JsonMembers => {
  const { id, cloudVendor, region, collaborators, creator, egressPolicy } = central;
  const views = collaborators.map((each) => collaboratorView(each, isForCreator));
  return omitAbsent({
    central_clean_room_id: id,
    cloud_vendor: cloudVendor,
    region,
    collaborators: views,
    creator: views[collaborators.findIndex(({ alias }) => alias === creator)],
    egress_network_policy: egressPolicy,
    compliance_security_profile: { is_enabled: false, compliance_standards: [] },
  });
};

/** Only the creator sees whom it has invited. */
const collaboratorView = (collaborator: Collaborator, isForCreator: boolean): JsonMembers => {
  const { alias, globalId, displayName, organization, email, workspaceId } = collaborator;
  return omitAbsent({
    collaborator_alias: alias,
    global_metastore_id: globalId,
    display_name: displayName,
    organization_name: organization,
    ...(isForCreator && {
      invite_recipient_email: email,
      invite_recipient_workspace_id: workspaceId === undefined ? undefined : Number(workspaceId),
    }),
  });
};

/** The clean rooms that the caller may see, by name. */
export async function listRooms(call: PlatformCall): Promise<JsonMembers> {
  const above: Chain = { target: await metastoreIn(call), above: [] };
  const visible = visibilityFilter(call, above, 'clean_room', { browse: true });
  if (visible === 'nothing') return { clean_rooms: [] };
  const { items, next } = await readPage(call, {
    collection: securables,
    query: { filter: allOf(eq('list', listOf(above.target.id, 'clean_room')), visible), order: [{ field: 'name' }] },
    size: pageSize(call.query),
  });
  const views: JsonMembers[] = [];
  for (const { value } of items) {
    const { room, alias } = localOf(value);
    const central = (await call.jar.store.get(centralRooms, room))?.value;
    views.push(await roomView(call, { chain: below(above, value), central, alias }, { detailed: false }));
  }
  return { clean_rooms: views, ...(next !== undefined && { next_page_token: next }) };
}
