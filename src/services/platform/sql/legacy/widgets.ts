import { ok } from '../../../../kernel/http/index.ts';
import { type JsonMembers, omitAbsent } from '../../../../kernel/values/index.ts';
import { findObject } from '../../engine/find.ts';
import { membersOf, textOf } from '../../engine/json.ts';
import type { KindPermissions, ObjectKind } from '../../engine/kind.ts';
import { objectKey, objects, type PlatformObject } from '../../engine/objects.ts';
import { changeObject, createObject, deleteObject } from '../../engine/operations.ts';
import { errors } from '../../errors.ts';
import { type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { VISUALIZATIONS } from '../visualizations.ts';
import { legacyVisualization } from './visualizations.ts';

export const DASHBOARDS_NAME = 'legacy-dashboards';

export const DASHBOARD_PERMISSIONS: KindPermissions = {
  type: 'dbsql-dashboards',
  read: 'CAN_VIEW',
  change: 'CAN_EDIT',
  remove: 'CAN_MANAGE',
};

/** Entries of an older dashboard: a visualization or a text. */
export const WIDGETS: ObjectKind = {
  name: 'legacy-widgets',
  title: 'Widget',
  scope: 'workspace',
  idField: 'id',
  parent: { kind: DASHBOARDS_NAME, field: 'dashboard_id', permissions: DASHBOARD_PERMISSIONS },
  limit: 'dashboard-widgets',
  fields: {
    dashboard_id: { type: 'string', required: true, fixed: true },
    width: { type: 'integer', required: true, least: 1 },
    options: { type: 'object', required: true },
    visualization_id: { type: 'string' },
    text: { type: 'string' },
  },
  hooks: {
    async check(tx, call, { fields }, before) {
      const { visualization_id, text } = fields;
      if ((visualization_id === undefined) === (text === undefined))
        throw errors.INVALID_PARAMETER_VALUE({
          reason: 'A widget must have either a visualization_id or a text.',
        });
      const id = textOf(visualization_id);
      if (id !== undefined && id !== before?.fields.visualization_id)
        await findObject(call, VISUALIZATIONS, id, { reader: tx });
      return undefined;
    },
  },
};

/** Includes its visualization, unless that was deleted. */
export async function widgetView({ jar }: PlatformCall, { id, scope, fields }: PlatformObject): Promise<JsonMembers> {
  const { width, options, text = '', visualization_id } = fields;
  const drawn = textOf(visualization_id);
  const found = drawn && (await jar.store.get(objects, objectKey(scope, VISUALIZATIONS.name, drawn)));
  return omitAbsent({
    id,
    width,
    text,
    options: membersOf(options),
    visualization: found ? legacyVisualization(found.value) : undefined,
  });
}

const PATH = '/preview/sql/widgets';

/** Requires `text` or `visualization_id`; in a change, either replaces the other. */
function changed(body: unknown): { readonly sent: unknown; readonly mask?: readonly string[] } {
  const sent = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
  const said = Object.keys(sent);
  const content = ['text', 'visualization_id'];
  const mask = said.some((name) => content.includes(name)) ? [...said, ...content] : said;
  return { sent: body ?? {}, mask: mask.filter((name) => name !== 'dashboard_id') };
}

export const WIDGET_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: PATH,
    operation: 'legacyWidgets_create',
    summary: 'Widgets of older dashboards: create one',
    code: routeCode([], {
      handle: async (call) => ok(await widgetView(call, await createObject(call, WIDGETS, call.body ?? {}))),
    }),
  },
  {
    method: 'POST',
    path: `${PATH}/{id}`,
    operation: 'legacyWidgets_update',
    summary: 'Widgets of older dashboards: change one',
    code: routeCode(['id'], {
      async handle(call) {
        const { sent, mask } = changed(call.body);
        const widget = await changeObject(call, WIDGETS, call.params.id, sent, { ...(mask && { mask }) });
        return ok(await widgetView(call, widget));
      },
    }),
  },
  {
    method: 'DELETE',
    path: `${PATH}/{id}`,
    operation: 'legacyWidgets_delete',
    summary: 'Widgets of older dashboards: delete one',
    code: routeCode(['id'], {
      async handle(call) {
        await deleteObject(call, WIDGETS, call.params.id);
        return ok({});
      },
    }),
  },
];
