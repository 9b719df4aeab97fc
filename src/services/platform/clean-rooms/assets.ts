import { uuid } from '../../../kernel/ids/index.ts';
import { deleteSome, eq, type Reader, readAll, type Tx } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { requirePrivilege } from '../catalog/core/access.ts';
import { type Chain, metastoreOf } from '../catalog/core/chain.ts';
import { membersOf } from '../engine/json.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall } from '../jar.ts';
import {
  checkAssetName,
  findSecurable,
  REVIEWED,
  readGenieSpace,
  readLocal,
  readReviewed,
  SECURABLE_RULES,
  type SentRevision,
} from './asset-rules.ts';
import {
  type ApprovalRule,
  ASSET_TYPES,
  type AssetType,
  approvalRules,
  assetKey,
  type Revision,
  type RoomAsset,
  revisionContents,
  revisionKey,
  revisions,
  roomAssets,
} from './collections.ts';
import { type ActiveRoom, changeRoom, unwrapped } from './find.ts';
import { automaticReviews } from './reviews.ts';

/** Maximum revisions stored for one asset. */
const KEPT_REVISIONS = 100;

/** The type that a path names. */
export function assetType(sent: string): AssetType {
  const type = ASSET_TYPES.find((each) => each === sent.toUpperCase());
  if (type) return type;
  throw errors.INVALID_PARAMETER_VALUE({
    reason: `'${sent.slice(0, 100)}' is not a type of asset; it must be one of ${ASSET_TYPES.join(', ')}.`,
  });
}

/** Names of securables are case-insensitive. */
const storedName = (type: AssetType, name: string): string => (SECURABLE_RULES[type] ? name.toLowerCase() : name);

export async function findAsset(
  reader: Reader,
  { central, chain }: ActiveRoom,
  type: AssetType,
  name: string,
): Promise<RoomAsset> {
  const key = assetKey({ room: central.id, type, name: storedName(type, name) });
  const found = (await reader.get(roomAssets, key))?.value;
  if (found) return found;
  throw errors.RESOURCE_DOES_NOT_EXIST({
    reason: `The clean room '${chain.target.name}' has no ${type} '${name.slice(0, 300)}'.`,
  });
}

export async function findRevision(reader: Reader, asset: RoomAsset): Promise<Revision> {
  const found = (await reader.get(revisions, revisionKey(assetKey(asset), asset.revision ?? 0)))?.value;
  if (!found) throw new Error(`the asset ${assetKey(asset)} has lost its revision ${asset.revision}`);
  return found;
}

export const rulesOf = async (reader: Reader, room: string): Promise<readonly ApprovalRule[]> =>
  (await readAll(reader, approvalRules, { filter: eq('room', room) })).map(({ value }) => value);

/** Adding, changing, removing and reviewing assets need the same privilege. */
export const requireModifier =
  (call: PlatformCall) =>
  (chain: Chain): void =>
    requirePrivilege(call, chain, 'MODIFY_CLEAN_ROOM');

export function createAsset(call: PlatformCall, roomName: string): Promise<{ room: ActiveRoom; asset: RoomAsset }> {
  return changeRoom(call, roomName, requireModifier(call), async (tx, room) => {
    const body = unwrapped(call.body, 'asset');
    const sent = new Sent(body, 'asset');
    const type = sent.word('asset_type', ASSET_TYPES);
    if (type === undefined) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'asset.asset_type' });
    const { central, alias } = room;
    const name = checkAssetName(type, sent.need('name'), central, alias);
    const draft: RoomAsset = {
      room: central.id,
      type,
      name,
      owner: alias,
      addedAt: call.jar.clock.now(),
      addedBy: callerIdentity(call).principal.id,
    };
    if (await tx.get(roomAssets, assetKey(draft)))
      throw errors.RESOURCE_ALREADY_EXISTS({
        reason: `The clean room '${room.chain.target.name}' already has the ${type} '${name}'.`,
      });
    const asset = { ...draft, ...(await contentOf(tx, call, room, draft, membersOf(body as JsonMembers))) };
    await tx.put(roomAssets, assetKey(asset), asset);
    await record(tx, call, 'create', asset);
    return { room, asset };
  });
}

/** Throws unless the asset belongs to the caller's metastore. */
function requireOwn({ alias }: ActiveRoom, { owner, type, name }: RoomAsset): void {
  if (owner === alias) return;
  throw errors.PERMISSION_DENIED({
    reason: `The ${type} '${name}' belongs to the collaborator '${owner}', and only that collaborator can change or remove it.`,
  });
}

export function updateAsset(
  call: PlatformCall,
  roomName: string,
  typeName: string,
  name: string,
): Promise<{ room: ActiveRoom; asset: RoomAsset }> {
  return changeRoom(call, roomName, requireModifier(call), async (tx, room) => {
    const before = await findAsset(tx, room, assetType(typeName), name);
    requireOwn(room, before);
    const body = unwrapped(call.body, 'asset');
    const said = new Sent(body, 'asset').text('name');
    if (said !== undefined && storedName(before.type, said) !== before.name)
      throw errors.INVALID_PARAMETER_VALUE({
        reason: 'An asset cannot be renamed. Remove it and add it with the new name.',
      });
    const asset = { ...before, ...(await contentOf(tx, call, room, before, membersOf(body as JsonMembers))) };
    await tx.put(roomAssets, assetKey(asset), asset);
    await record(tx, call, 'update', asset);
    return { room, asset };
  });
}

export function deleteAsset(call: PlatformCall, roomName: string, typeName: string, name: string): Promise<void> {
  return changeRoom(call, roomName, requireModifier(call), async (tx, room) => {
    const asset = await findAsset(tx, room, assetType(typeName), name);
    requireOwn(room, asset);
    const key = assetKey(asset);
    await tx.delete(roomAssets, key);
    // Few enough for one transaction, since only the latest revisions are kept.
    await deleteSome(tx, revisions, { prefix: `${key}/` });
    await deleteSome(tx, revisionContents, { prefix: `${key}/` });
    await record(tx, call, 'delete', asset);
  });
}

type Content = Pick<RoomAsset, 'securable' | 'local' | 'revision' | 'fields'>;

/** The content of an asset, from a body, by its type. */
async function contentOf(
  tx: Tx,
  call: PlatformCall,
  room: ActiveRoom,
  asset: RoomAsset,
  sent: JsonMembers,
): Promise<Content> {
  const { type } = asset;
  if (type === 'GENIE_SPACE') return { fields: { ...asset.fields, ...readGenieSpace(sent) } };
  if (REVIEWED[type]) return { revision: await revise(tx, call, room, asset, readReviewed(type, sent, room.central)) };
  const said = readLocal(type, sent, asset.local);
  const { chain, local } = await findSecurable(tx, call, metastoreOf(room.chain), type, said);
  return { securable: chain.target.id, local };
}

/** Adds a revision if anything has changed, with automatic reviews. Returns the number of the current revision. */
async function revise(
  tx: Tx,
  call: PlatformCall,
  room: ActiveRoom,
  asset: RoomAsset,
  sent: SentRevision,
): Promise<number> {
  const { central, alias } = room;
  const key = assetKey(asset);
  const before = asset.revision === undefined ? undefined : await findRevision(tx, asset);
  if (before && sent.etag !== undefined && sent.etag !== before.etag) throw staleEtag(asset, sent.etag);
  const kept = before && (await tx.get(revisionContents, revisionKey(key, before.number), 'none'))?.value.content;
  const content = sent.content ?? kept;
  if (content === undefined)
    throw errors.INVALID_PARAMETER_VALUE__MissingField({
      field: asset.type === 'NOTEBOOK_FILE' ? 'asset.notebook.notebook_content' : 'asset.jar_analysis',
    });
  const runners = sent.runners ?? before?.runners ?? usualRunners(room);
  if (before && content === kept && isSame(runners, before.runners)) return before.number;
  const now = call.jar.clock.now();
  const number = (before?.number ?? 0) + 1;
  const revision: Revision = {
    asset: key,
    number,
    etag: uuid(),
    author: alias,
    runners,
    contentLength: content.length,
    updatedAt: now,
    reviews: automaticReviews(central, { author: alias, runners }, await rulesOf(tx, central.id), now),
  };
  await tx.put(revisions, revisionKey(key, number), revision);
  await tx.put(revisionContents, revisionKey(key, number), { content });
  if (number > KEPT_REVISIONS) {
    await tx.delete(revisions, revisionKey(key, number - KEPT_REVISIONS));
    await tx.delete(revisionContents, revisionKey(key, number - KEPT_REVISIONS));
  }
  return number;
}

/** All collaborators except the author, or the author if there are no others. */
function usualRunners({ central, alias }: ActiveRoom): readonly string[] {
  const others = central.collaborators.map((each) => each.alias).filter((each) => each !== alias);
  return others.length === 0 ? [alias] : others;
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((each) => other.includes(each));

export const staleEtag = ({ type, name }: RoomAsset, etag: string) =>
  errors.ABORTED({
    reason: `The etag '${etag.slice(0, 100)}' does not match the current version of the ${type} '${name}'. Read the asset again.`,
  });

export const isReviewed = ({ type }: RoomAsset): boolean => REVIEWED[type] !== undefined;

export const record = (tx: Tx, { jar }: PlatformCall, kind: string, { room, type, name, owner }: RoomAsset) =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/clean-rooms/${room}/assets/${type}/${name}`,
    outcome: 'Succeeded',
    at: jar.clock.now(),
    data: { room, type, name, owner },
  });
