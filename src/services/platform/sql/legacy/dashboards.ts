import { ok } from '../../../../kernel/http/index.ts';
import { isoTime } from '../../../../kernel/time/index.ts';
import { type JsonMembers, omitAbsent } from '../../../../kernel/values/index.ts';
import { findObject } from '../../engine/find.ts';
import { inFolder, numberedFolders } from '../../engine/folders.ts';
import { textOf } from '../../engine/json.ts';
import type { ObjectKind } from '../../engine/kind.ts';
import { namesOf } from '../../engine/names.ts';
import type { PlatformObject } from '../../engine/objects.ts';
import { changeObject, createObject } from '../../engine/operations.ts';
import { kindOperations } from '../../engine/wire.ts';
import { accountIn, type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { TRASH_DAYS } from '../trash.ts';
import { legacyHead, legacyRights, objectsBelow } from './common.ts';
import { numberedPage } from './paging.ts';
import { DASHBOARD_PERMISSIONS, DASHBOARDS_NAME, WIDGETS, widgetView } from './widgets.ts';

/** Dashboards of the older API; the current ones are in `lakeview/`. */
export const LEGACY_DASHBOARDS: ObjectKind = {
  name: DASHBOARDS_NAME,
  title: 'Dashboard',
  scope: 'workspace',
  idField: 'id',
  nameField: 'name',
  folderField: 'parent',
  trashDays: TRASH_DAYS,
  permissions: DASHBOARD_PERMISSIONS,
  children: [WIDGETS],
  fields: {
    name: { type: 'string', required: true, least: 1 },
    tags: { type: 'array', most: 100, items: { type: 'string', most: 1000 } },
    run_as_role: { type: 'string', words: ['owner', 'viewer'] },
    dashboard_filters_enabled: { type: 'boolean', default: false },
    is_favorite: { type: 'boolean', default: false },
    parent: { type: 'string', most: 4096 },
  },
  hooks: { check: (tx, call, { fields }, before) => inFolder(tx, call, LEGACY_DASHBOARDS, fields, before) },
};

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');

async function views(call: PlatformCall, found: readonly PlatformObject[]): Promise<readonly JsonMembers[]> {
  const owners = found.map(({ createdBy, owner = createdBy }) => owner);
  const context = await namesOf(call.jar.store, accountIn(call).id, owners);
  const folders = await numberedFolders(call, found);
  return found.map((object) => {
    const { fields, trashedAt } = object;
    return omitAbsent({
      ...legacyHead(object, context),
      ...legacyRights(call, DASHBOARD_PERMISSIONS, object),
      name: fields.name,
      slug: slugOf(textOf(fields.name) ?? ''),
      tags: fields.tags ?? [],
      run_as_role: fields.run_as_role,
      dashboard_filters_enabled: fields.dashboard_filters_enabled,
      parent: folders.get(object.folder ?? '/'),
      options: trashedAt === undefined ? {} : { moved_to_trash_at: isoTime(trashedAt) },
    });
  });
}

async function answer(call: PlatformCall, object: PlatformObject) {
  const [view] = await views(call, [object]);
  const widgets = [];
  for (const widget of await objectsBelow(call, WIDGETS, object.id)) widgets.push(await widgetView(call, widget));
  return ok({ ...view, widgets });
}

const PATH = '/preview/sql/dashboards';
const head = (operation: string, summary: string) =>
  ({ operation: `legacyDashboards_${operation}`, summary: `Older dashboards: ${summary}` }) as const;

export const LEGACY_DASHBOARD_OPERATIONS: readonly Operation[] = [
  {
    ...head('create', 'create one'),
    method: 'POST',
    path: PATH,
    code: routeCode([], {
      handle: async (call) => answer(call, await createObject(call, LEGACY_DASHBOARDS, call.body ?? {})),
    }),
  },
  {
    ...head('list', 'list them'),
    method: 'GET',
    path: PATH,
    code: routeCode([], {
      async handle(call) {
        const { found, ...page } = await numberedPage(call, LEGACY_DASHBOARDS);
        return ok({ ...page, results: await views(call, found) });
      },
    }),
  },
  {
    ...head('get', 'read one'),
    method: 'GET',
    path: `${PATH}/{id}`,
    code: routeCode(['id'], {
      handle: async (call) =>
        answer(call, await findObject(call, LEGACY_DASHBOARDS, call.params.id, { trashed: true })),
    }),
  },
  {
    ...head('update', 'change one'),
    method: 'POST',
    path: `${PATH}/{id}`,
    code: routeCode(['id'], {
      handle: async (call) =>
        answer(call, await changeObject(call, LEGACY_DASHBOARDS, call.params.id, call.body ?? {})),
    }),
  },
  ...kindOperations(LEGACY_DASHBOARDS, {
    of: 'Older dashboards',
    operations: 'legacyDashboards',
    remove: { method: 'DELETE', path: `${PATH}/{id}` },
    restore: { method: 'POST', path: `${PATH}/trash/{id}` },
  }),
];
