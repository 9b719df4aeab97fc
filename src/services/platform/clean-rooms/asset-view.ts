import { ApiError } from '../../../kernel/http/index.ts';
import { eq, type Reader } from '../../../kernel/store/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { requirePrivilege } from '../catalog/core/access.ts';
import { type Chain, chainById, fullNameOf } from '../catalog/core/chain.ts';
import { SYSTEM_USER } from '../catalog/core/securables.ts';
import { columnCountOf, columnsOf } from '../catalog/tables/column-store.ts';
import { type PageSizes, pageSize, readPage } from '../engine/paging.ts';
import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import { REVIEWED, SECURABLE_RULES } from './asset-rules.ts';
import { assetType, findAsset, findRevision, isReviewed } from './assets.ts';
import {
  assetKey,
  type Review,
  type Revision,
  type RoomAsset,
  revisionContents,
  revisionKey,
  revisions,
  roomAssets,
} from './collections.ts';
import { type ActiveRoom, seeActive } from './find.ts';
import { reviewStateOf } from './reviews.ts';

/** An asset on the wire, as seen by the collaborator whose metastore calls: only the asset's owner sees its securable. */
export async function assetView(
  call: PlatformCall,
  room: ActiveRoom,
  asset: RoomAsset,
  revision?: Revision,
): Promise<JsonMembers> {
  const { type, name, owner, addedAt } = asset;
  const head = {
    name,
    asset_type: type,
    clean_room_name: room.chain.target.name,
    owner_collaborator_alias: owner,
    added_at: addedAt,
  };
  if (isReviewed(asset)) {
    const shown = revision ?? (await findRevision(call.jar.store, asset));
    return { ...head, status: 'ACTIVE', [REVIEWED[type] as string]: await reviewedView(call, room, asset, shown) };
  }
  const rule = SECURABLE_RULES[type];
  if (!rule) return { ...head, status: 'ACTIVE', ...asset.fields };
  const chain = asset.securable === undefined ? undefined : await chainById(call.jar.store, asset.securable);
  const isThere = chain !== undefined && (await isOpen(call, room, asset, chain));
  return {
    ...head,
    status: isThere ? 'ACTIVE' : 'PERMISSION_DENIED',
    ...(owner === room.alias && { [rule.local]: { ...asset.local, ...(chain && { local_name: fullNameOf(chain) }) } }),
    ...(rule.shown !== undefined && {
      [rule.shown]: { columns: isThere ? await columnViews(call.jar.store, chain) : [] },
    }),
  };
}

const columnViews = async (reader: Reader, { target }: Chain): Promise<JsonMembers[]> =>
  (await columnsOf(reader, target)).map(({ mask: _mask, ...column }) => ({ ...column }));

/** Whether the owner of the collaborator's clean room may still read the asset. */
async function isOpen(
  { jar }: PlatformCall,
  { central }: ActiveRoom,
  { owner, type }: RoomAsset,
  chain: Chain,
): Promise<boolean> {
  const rule = SECURABLE_RULES[type];
  const local = central.collaborators.find(({ alias }) => alias === owner)?.local;
  const room = local === undefined ? undefined : await chainById(jar.store, local);
  if (!rule || !room) return false;
  if (room.target.owner === SYSTEM_USER) return true;
  const standing = await jar.callerIdentities.of(room.target.accountId, room.target.owner);
  if (!standing) return false;
  try {
    requirePrivilege({ facts: { standing } }, chain, rule.needs);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

async function reviewedView(
  { jar }: PlatformCall,
  { central }: ActiveRoom,
  asset: RoomAsset,
  revision: Revision,
): Promise<JsonMembers> {
  const stored = await jar.store.get(revisionContents, revisionKey(assetKey(asset), revision.number));
  const content = stored?.value.content ?? '';
  const shown = asset.type === 'NOTEBOOK_FILE' ? { notebook_content: content } : (JSON.parse(content) as JsonMembers);
  return {
    ...shown,
    etag: revision.etag,
    review_state: reviewStateOf(central, revision),
    reviews: reviewViews(revision.reviews),
    runner_collaborator_aliases: [...revision.runners],
  };
}

export const reviewViews = (reviews: readonly Review[]): JsonMembers[] =>
  reviews.map(({ reviewer, state, comment, createdAt, isAutomatic }) =>
    omitAbsent({
      reviewer_collaborator_alias: reviewer,
      review_state: state,
      comment,
      created_at_millis: createdAt,
      review_sub_reason: isAutomatic ? 'AUTO_APPROVED' : undefined,
    }),
  );

/** A page ends when its contents and columns exceed this, since a hundred notebooks would make the answer too large. */
const MOST_PAGE_CHARACTERS = 8 * 1024 * 1024;
/** Approximate size of a column on the wire. */
const COLUMN_CHARACTERS = 250;

/** The number of these sizes that fit on a page: at least one. */
function fitting(sizes: readonly number[]): number {
  let sum = 0;
  const over = sizes.findIndex((size) => {
    sum += size;
    return sum > MOST_PAGE_CHARACTERS;
  });
  return over < 0 ? sizes.length : Math.max(1, over);
}

async function sizeOf(reader: Reader, asset: RoomAsset): Promise<number> {
  if (isReviewed(asset)) return (await findRevision(reader, asset)).contentLength;
  const chain = asset.securable === undefined ? undefined : await chainById(reader, asset.securable);
  return chain ? columnCountOf(chain.target) * COLUMN_CHARACTERS : 0;
}

export async function listAssets(call: PlatformCall, name: string): Promise<JsonMembers> {
  const room = await seeActive(call, name);
  const request = {
    collection: roomAssets,
    query: { filter: eq('room', room.central.id), order: [{ field: 'addedAt' }, { field: 'name' }] },
  };
  const whole = await readPage(call, { ...request, size: pageSize(call.query) });
  const sizes: number[] = [];
  for (const { value } of whole.items) sizes.push(await sizeOf(call.jar.store, value));
  const room_ = fitting(sizes);
  const { items, next } = room_ < whole.items.length ? await readPage(call, { ...request, size: room_ }) : whole;
  const assets: JsonMembers[] = [];
  for (const { value } of items) assets.push(await assetView(call, room, value));
  return { assets, ...(next !== undefined && { next_page_token: next }) };
}

export async function readAsset(call: PlatformCall, roomName: string, type: string, name: string) {
  const room = await seeActive(call, roomName);
  return assetView(call, room, await findAsset(call.jar.store, room, assetType(type), name));
}

const REVISION_SIZES: PageSizes = { usual: 10, most: 100 };

/** Finds a notebook, for its revisions. */
async function revisedAsset(call: PlatformCall, roomName: string, type: string, name: string) {
  const room = await seeActive(call, roomName);
  if (assetType(type) !== 'NOTEBOOK_FILE')
    throw errors.INVALID_PARAMETER_VALUE({ reason: 'Only assets of the type NOTEBOOK_FILE have revisions.' });
  return { room, asset: await findAsset(call.jar.store, room, 'NOTEBOOK_FILE', name) };
}

/** The newest first. */
export async function listRevisions(
  call: PlatformCall,
  roomName: string,
  type: string,
  name: string,
): Promise<JsonMembers> {
  const { room, asset } = await revisedAsset(call, roomName, type, name);
  const request = {
    collection: revisions,
    query: { filter: eq('asset', assetKey(asset)), order: [{ field: 'number', descending: true }] },
  };
  const whole = await readPage(call, { ...request, size: pageSize(call.query, REVISION_SIZES) });
  const fits = fitting(whole.items.map(({ value }) => value.contentLength));
  const { items, next } = fits < whole.items.length ? await readPage(call, { ...request, size: fits }) : whole;
  const views: JsonMembers[] = [];
  for (const { value } of items) views.push(await assetView(call, room, asset, value));
  return { revisions: views, ...(next !== undefined && { next_page_token: next }) };
}

export async function readRevision(call: PlatformCall, roomName: string, type: string, name: string, etag: string) {
  const { room, asset } = await revisedAsset(call, roomName, type, name);
  const filter = { op: 'and', args: [eq('asset', assetKey(asset)), eq('etag', etag)] } as const;
  const found = (await call.jar.store.query(revisions, { filter, limit: 1 })).items[0]?.value;
  if (found) return assetView(call, room, asset, found);
  throw errors.RESOURCE_DOES_NOT_EXIST({
    reason: `The notebook '${asset.name}' has no revision with the etag '${etag.slice(0, 100)}'.`,
  });
}
