import { uuid } from '../../../kernel/ids/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { requireManager, requirePrivilege, requireVisible } from '../catalog/core/access.ts';
import { below, byId, type Chain } from '../catalog/core/chain.ts';
import { takenBy } from '../catalog/core/counts.ts';
import { metastoreIn, metastoreNow } from '../catalog/core/metastore.ts';
import { createBelow, deleteSecurable, principalNamed, record } from '../catalog/core/operations.ts';
import { keyOf, type Securable, SYSTEM_USER, securables } from '../catalog/core/securables.ts';
import { globalIdOf } from '../catalog/sharing/global-id.ts';
import { machineMs } from '../compute/timing.ts';
import { membersOf, textOf } from '../engine/json.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall, type PlatformJar } from '../jar.ts';
import { takeCounts } from '../limits/take.ts';
import { findParties, ownerOf, type Party, readCollaborators } from './collaborators.ts';
import { type CentralRoom, type Collaborator, centralRooms } from './collections.ts';
import { findRoom, type Room, statusOf, unwrapped } from './find.ts';
import { CLEAN_ROOMS } from './kind.ts';
import { PROVISION_ROOM, provisionId } from './work.ts';

const VENDORS: readonly string[] = ['aws', 'azure', 'gcp'];
const LONGEST_REGION = 100;
const LARGEST_POLICY_BYTES = 65_536;

interface Draft {
  readonly body: unknown;
  readonly name: string;
  readonly owner: string | undefined;
  readonly parties: readonly Party[];
  readonly detail: Pick<CentralRoom, 'cloudVendor' | 'region' | 'sharesOutput' | 'egressPolicy'>;
}

/** Creates a clean room in the metastore of each collaborator, all in one transaction. Due work completes its setup. */
export async function createRoom(call: PlatformCall): Promise<Room> {
  const own = await metastoreIn(call);
  requirePrivilege(call, { target: own, above: [] }, 'CREATE_CLEAN_ROOM');
  const draft = await readRoom(call, own);
  const { jar } = call;
  const id = uuid();
  const now = jar.clock.now();
  return jar.store.transact(async (tx) => {
    // Locked in a fixed order, so that two metastores can create clean rooms with each other concurrently.
    const involved = [...new Map(draft.parties.map(({ metastore }) => [metastore.id, metastore])).values()];
    const ordered = involved.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    for (const metastore of ordered) await tx.lock(`platform.clean-rooms:${metastore.id}`);
    const locals: [Party, Chain][] = [];
    for (const party of draft.parties) {
      const above: Chain = { target: await metastoreNow(tx, party.metastore), above: [] };
      const chain = party.isCreator
        ? await putOwn(tx, call, above, draft, { room: id, alias: party.alias })
        : await putOther(tx, call, above, draft, { room: id, party });
      locals.push([party, chain]);
    }
    const [creator, chain] = locals.find(([{ isCreator }]) => isCreator) as [Party, Chain];
    const central: CentralRoom = {
      id,
      status: 'PROVISIONING',
      creator: creator.alias,
      ...draft.detail,
      collaborators: locals.map(([party, { target }]) => collaboratorOf(party, target, creator)),
      createdAt: now,
      updatedAt: now,
    };
    await tx.put(centralRooms, id, central);
    await tx.schedule(PROVISION_ROOM.at(now + machineMs(jar, 'cleanRoom'), { room: id }, provisionId(id)));
    return { chain, central, alias: creator.alias };
  });
}

async function readRoom(call: PlatformCall, own: Securable): Promise<Draft> {
  const body = unwrapped(call.body, 'clean_room');
  const sent = new Sent(body, 'clean_room');
  const name = sent.need('name');
  const detail = sent.member('remote_detailed_info');
  if (!detail) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'remote_detailed_info' });
  const cloudVendor = detail.need('cloud_vendor').toLowerCase();
  if (!VENDORS.includes(cloudVendor))
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The field 'cloud_vendor' must be one of ${VENDORS.join(', ')}, not '${cloudVendor.slice(0, 100)}'.`,
    });
  const region = detail.need('region');
  if (region.length > LONGEST_REGION)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The field 'region' must be at most ${LONGEST_REGION} characters.`,
    });
  const egressPolicy = policyIn(detail, body);
  const collaborators = readCollaborators(detail);
  return {
    body,
    name,
    owner: sent.text('owner'),
    parties: await findParties(call.jar, own, collaborators),
    detail: {
      cloudVendor,
      region,
      sharesOutput: sent.flag('enable_shared_output') ?? false,
      ...(egressPolicy && { egressPolicy }),
    },
  };
}

/** The network policy of the central clean room, stored as sent. */
function policyIn(detail: Sent, body: unknown): JsonMembers | undefined {
  // Throws if it is not an object.
  if (!detail.member('egress_network_policy')) return undefined;
  const policy = membersOf(membersOf((body as JsonMembers).remote_detailed_info).egress_network_policy);
  if (Buffer.byteLength(JSON.stringify(policy)) > LARGEST_POLICY_BYTES)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The field 'egress_network_policy' must be at most ${LARGEST_POLICY_BYTES} bytes.`,
    });
  return policy;
}

/** The clean room of the creator. */
async function putOwn(
  tx: Tx,
  call: PlatformCall,
  above: Chain,
  { name, body, owner }: Draft,
  extra: JsonMembers,
): Promise<Chain> {
  const chain = await createBelow(tx, call, CLEAN_ROOMS, above, { name, sent: body, extra });
  if (owner === undefined || owner === '') return chain;
  const target = { ...chain.target, owner: await principalNamed(tx, call, owner) };
  await tx.put(securables, keyOf(target), target);
  return { ...chain, target };
}

/** The clean room of an invited collaborator, created by the platform. */
async function putOther(
  tx: Tx,
  call: PlatformCall,
  above: Chain,
  { name: asked }: Draft,
  { room, party }: { readonly room: string; readonly party: Party },
): Promise<Chain> {
  const now = call.jar.clock.now();
  const draft: Omit<Securable, 'name'> = {
    kind: 'clean_room',
    accountId: above.target.accountId,
    metastore: above.target.id,
    id: uuid(),
    parent: above.target.id,
    owner: await ownerOf(tx, party),
    createdAt: now,
    createdBy: SYSTEM_USER,
    updatedAt: now,
    updatedBy: SYSTEM_USER,
    fields: {},
    extra: { room, alias: party.alias },
  };
  const name = await freeName(tx, draft, asked.toLowerCase(), party, room);
  const target: Securable = { ...draft, name };
  await takeCounts(tx, call.jar, takenBy(CLEAN_ROOMS, above));
  await tx.put(securables, keyOf(target), target);
  const chain = below(above, target);
  await record(tx, call, 'create', chain);
  return chain;
}

/** The name of the creator's clean room, or a name derived from it if that is taken, as for a second collaborator in the same metastore. */
async function freeName(
  tx: Tx,
  draft: Pick<Securable, 'kind' | 'parent'>,
  asked: string,
  { alias }: Party,
  room: string,
): Promise<string> {
  const names = [asked, `${asked}_${alias}`.slice(0, 255)];
  for (const name of names) if (!(await tx.get(securables, keyOf({ ...draft, name }), 'none'))) return name;
  return `${asked.slice(0, 240)}_${room.slice(0, 8)}`;
}

function collaboratorOf(party: Party, { id: local, name }: Securable, creator: Party): Collaborator {
  const { alias, metastore, email, workspaceId } = party;
  const organization = textOf(metastore.fields.delta_sharing_organization_name);
  const isOfCreator = metastore.id === creator.metastore.id;
  return {
    alias,
    metastore: metastore.id,
    globalId: globalIdOf(metastore),
    local,
    displayName: party.displayName ?? (isOfCreator && !party.isCreator ? name : (organization ?? metastore.name)),
    ...(organization !== undefined && { organization }),
    ...(email !== undefined && { email }),
    ...(workspaceId !== undefined && { workspaceId }),
  };
}

/** Changes the owner or the comment, which are separate in each metastore. */
export async function updateRoom(call: PlatformCall, name: string): Promise<Room> {
  const metastore = await metastoreIn(call);
  return call.jar.store.transact(async (tx) => {
    const room = await findRoom(tx, await metastoreNow(tx, metastore), name, 'update');
    const found = room.chain;
    const before = found.target;
    requireVisible(call, found, { browse: true });
    const sent = new Sent(unwrapped(call.body, 'clean_room'), 'clean_room');
    // The two changes need different privileges.
    if (sent.has('owner')) requireManager(call, found);
    if (sent.has('comment') || !sent.has('owner')) requirePrivilege(call, found, 'MODIFY_CLEAN_ROOM');
    if (statusOf(room) === 'DELETED')
      throw errors.INVALID_STATE({
        reason: `The clean room '${before.name}' is DELETED: a collaborator has deleted it; it can only be deleted.`,
      });
    const owner = sent.text('owner');
    const comment = sent.text('comment');
    if (comment !== undefined && comment.length > 65_536)
      throw errors.INVALID_PARAMETER_VALUE({ reason: "The field 'comment' must be at most 65536 characters." });
    if (owner === '') throw errors.INVALID_PARAMETER_VALUE({ reason: "The field 'owner' must not be empty." });
    const target: Securable = {
      ...before,
      ...(owner !== undefined && { owner: await principalNamed(tx, call, owner) }),
      fields: { ...before.fields, ...(comment !== undefined && { comment }) },
      updatedAt: call.jar.clock.now(),
      updatedBy: callerIdentity(call).principal.id,
    };
    await tx.put(securables, keyOf(target), target);
    const chain: Chain = { ...found, target };
    await record(tx, call, 'update', chain);
    return { ...room, chain };
  });
}

/** Deletes the caller's clean room. The other collaborators keep theirs, but can only delete them. */
export const deleteRoom = (call: PlatformCall, name: string): Promise<unknown> =>
  deleteSecurable(call, CLEAN_ROOMS, name);

/** Due work: activates a new clean room, unless a collaborator's part of it is gone. */
export async function provision(tx: Tx, jar: PlatformJar, id: string): Promise<void> {
  const central = (await tx.get(centralRooms, id))?.value;
  if (central?.status !== 'PROVISIONING') return;
  let isWhole = true;
  for (const { local } of central.collaborators) isWhole &&= (await byId(tx, local)) !== undefined;
  const status = isWhole ? 'ACTIVE' : 'FAILED';
  const now = jar.clock.now();
  await tx.put(centralRooms, id, { ...central, status, updatedAt: now });
  await tx.change({
    source: 'platform',
    kind: 'provision',
    subject: `/clean-rooms/${id}`,
    outcome: isWhole ? 'Succeeded' : 'Failed',
    at: now,
    data: { id, status },
  });
}
