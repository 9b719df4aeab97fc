import { ok } from '../../../kernel/http/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { type PlatformCall, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { assetView, listAssets, listRevisions, readAsset, readRevision } from './asset-view.ts';
import { createAsset, deleteAsset, updateAsset } from './assets.ts';
import { seeRoom } from './find.ts';
import { createOutputCatalog } from './output-catalog.ts';
import { reviewAsset } from './review-assets.ts';
import { createRoom, deleteRoom, updateRoom } from './rooms.ts';
import { createRule, deleteRule, listRules, readRuleOf, updateRule } from './rules.ts';
import { listRuns, listTaskRuns } from './runs.ts';
import { listRooms, roomView } from './view.ts';

const ROOMS = '/clean-rooms';
const ROOM = `${ROOMS}/{clean_room_name}`;
const ASSETS = `${ROOM}/assets`;
const ASSET = `${ASSETS}/{asset_type}/{name}`;
const RULES = `${ROOM}/auto-approval-rules`;
const RULE = `${RULES}/{rule_id}`;

type Handle<Names extends string> = (
  call: PlatformCall,
  params: Readonly<Record<Names, string>>,
) => Promise<JsonMembers | undefined>;

/** A row whose handler receives the path parameters and returns the body of the answer; `undefined` is an empty one. */
const row = <const Names extends readonly string[]>(
  head: readonly [method: Operation['method'], path: string, operation: string, summary: string],
  names: Names,
  handle: Handle<Names[number]>,
): Operation => {
  const [method, path, operation, summary] = head;
  return {
    method,
    path,
    operation,
    summary: `Clean rooms: ${summary}`,
    code: routeCode(names, { handle: async (call) => ok((await handle(call, call.params)) ?? {}) }),
  };
};

const IN_ROOM = ['clean_room_name'] as const;
const OF_ASSET = ['clean_room_name', 'asset_type', 'name'] as const;
const OF_RULE = ['clean_room_name', 'rule_id'] as const;

export const CLEAN_ROOM_OPERATIONS: readonly Operation[] = [
  row(['POST', ROOMS, 'cleanRooms_create', 'create one'], [], async (call) => roomView(call, await createRoom(call))),
  row(['GET', ROOMS, 'cleanRooms_list', 'list them'], [], listRooms),
  row(['GET', ROOM, 'cleanRooms_get', 'read one'], IN_ROOM, async (call, { clean_room_name: name }) =>
    roomView(call, await seeRoom(call, name)),
  ),
  row(['PATCH', ROOM, 'cleanRooms_update', 'change one'], IN_ROOM, async (call, { clean_room_name: name }) =>
    roomView(call, await updateRoom(call, name)),
  ),
  row(['DELETE', ROOM, 'cleanRooms_delete', 'delete one'], IN_ROOM, async (call, { clean_room_name: name }) => {
    await deleteRoom(call, name);
    return undefined;
  }),
  row(
    ['POST', `${ROOM}/output-catalogs`, 'cleanRooms_createOutputCatalog', 'create the output catalog of one'],
    IN_ROOM,
    (call, { clean_room_name: name }) => createOutputCatalog(call, name),
  ),
  row(['POST', ASSETS, 'cleanRoomAssets_create', 'add an asset'], IN_ROOM, async (call, { clean_room_name: name }) => {
    const { room, asset } = await createAsset(call, name);
    return assetView(call, room, asset);
  }),
  row(['GET', ASSETS, 'cleanRoomAssets_list', 'list the assets of one'], IN_ROOM, (call, { clean_room_name: name }) =>
    listAssets(call, name),
  ),
  row(['GET', ASSET, 'cleanRoomAssets_get', 'read an asset'], OF_ASSET, (call, { clean_room_name, asset_type, name }) =>
    readAsset(call, clean_room_name, asset_type, name),
  ),
  row(
    ['PATCH', ASSET, 'cleanRoomAssets_update', 'change an asset'],
    OF_ASSET,
    async (call, { clean_room_name, asset_type, name }) => {
      const { room, asset } = await updateAsset(call, clean_room_name, asset_type, name);
      return assetView(call, room, asset);
    },
  ),
  row(
    ['DELETE', ASSET, 'cleanRoomAssets_delete', 'remove an asset'],
    OF_ASSET,
    async (call, { clean_room_name, asset_type, name }) => {
      await deleteAsset(call, clean_room_name, asset_type, name);
      return undefined;
    },
  ),
  row(
    ['POST', `${ASSET}/reviews`, 'cleanRoomAssets_createCleanRoomAssetReview', 'review a notebook'],
    OF_ASSET,
    (call, { clean_room_name, asset_type, name }) => reviewAsset(call, clean_room_name, asset_type, name),
  ),
  row(
    ['GET', `${ASSET}/revisions`, 'cleanRoomAssetRevisions_list', 'list the versions of a notebook'],
    OF_ASSET,
    (call, { clean_room_name, asset_type, name }) => listRevisions(call, clean_room_name, asset_type, name),
  ),
  row(
    ['GET', `${ASSET}/revisions/{etag}`, 'cleanRoomAssetRevisions_get', 'read a version of a notebook'],
    [...OF_ASSET, 'etag'],
    (call, { clean_room_name, asset_type, name, etag }) => readRevision(call, clean_room_name, asset_type, name, etag),
  ),
  row(
    ['POST', RULES, 'cleanRoomAutoApprovalRules_create', 'create an auto-approval rule'],
    IN_ROOM,
    (call, { clean_room_name: name }) => createRule(call, name),
  ),
  row(
    ['GET', RULES, 'cleanRoomAutoApprovalRules_list', 'list the auto-approval rules of one'],
    IN_ROOM,
    (call, { clean_room_name: name }) => listRules(call, name),
  ),
  row(
    ['GET', RULE, 'cleanRoomAutoApprovalRules_get', 'read an auto-approval rule'],
    OF_RULE,
    (call, { clean_room_name: name, rule_id }) => readRuleOf(call, name, rule_id),
  ),
  row(
    ['PATCH', RULE, 'cleanRoomAutoApprovalRules_update', 'change an auto-approval rule'],
    OF_RULE,
    (call, { clean_room_name: name, rule_id }) => updateRule(call, name, rule_id),
  ),
  row(
    ['DELETE', RULE, 'cleanRoomAutoApprovalRules_delete', 'remove an auto-approval rule'],
    OF_RULE,
    async (call, { clean_room_name: name, rule_id }) => {
      await deleteRule(call, name, rule_id);
      return undefined;
    },
  ),
  row(
    ['GET', `${ROOM}/runs`, 'cleanRoomTaskRuns_list', 'list the runs of notebooks'],
    IN_ROOM,
    (call, { clean_room_name: name }) => listRuns(call, name),
  ),
  row(
    ['GET', `${ROOM}/task-runs`, 'cleanRoomTaskRuns_listTaskRuns', 'list the runs of tasks'],
    IN_ROOM,
    (call, { clean_room_name: name }) => listTaskRuns(call, name),
  ),
];
