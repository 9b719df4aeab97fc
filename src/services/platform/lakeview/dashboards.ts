import { uuid } from '../../../kernel/ids/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { omitAbsent } from '../../../kernel/values/index.ts';
import { inFolder } from '../engine/folders.ts';
import { textOf } from '../engine/json.ts';
import type { ObjectKind } from '../engine/kind.ts';
import type { PlatformCall } from '../jar.ts';
import { TRASH_DAYS } from '../sql/trash.ts';
import { DASHBOARDS_NAME } from './names.ts';
import { DASHBOARD_PERMISSIONS, SCHEDULES } from './schedules.ts';
import { type DatasetPlace, keptContent } from './serialized.ts';

const EXTENSION = '.lvdash.json';

/** Dashboards: a draft that users edit, and its last published revision (`publish.ts`). */
export const DASHBOARDS: ObjectKind = {
  name: DASHBOARDS_NAME,
  title: 'Dashboard',
  scope: 'workspace',
  idField: 'dashboard_id',
  newId: () => uuid().replaceAll('-', ''),
  nameField: 'display_name',
  folderField: 'parent_path',
  unique: 'folder',
  etags: true,
  trashDays: TRASH_DAYS,
  permissions: DASHBOARD_PERMISSIONS,
  children: [SCHEDULES],
  fields: {
    display_name: { type: 'string', required: true, least: 1 },
    parent_path: { type: 'string' },
    warehouse_id: { type: 'string' },
    serialized_dashboard: { type: 'string' },
  },
  hooks: {
    async check(tx, call, { fields }, before) {
      const content = textOf(fields.serialized_dashboard);
      const isNew = content !== undefined && content !== before?.fields.serialized_dashboard;
      return {
        ...(await inFolder(tx, call, DASHBOARDS, fields, before)),
        ...(isNew && { serialized_dashboard: keptContent(content, placeIn(call)) }),
      };
    },
  },
  view({ id, fields, etag, createdAt, updatedAt, trashedAt }) {
    const { parent_path, display_name } = fields;
    return omitAbsent({
      dashboard_id: id,
      ...fields,
      // Without `/Workspace`, as in the real service.
      path: `${textOf(parent_path)?.replace(/\/$/, '')}/${textOf(display_name)}${EXTENSION}`,
      etag,
      create_time: isoTime(createdAt),
      update_time: isoTime(updatedAt),
      lifecycle_state: trashedAt === undefined ? 'ACTIVE' : 'TRASHED',
    });
  },
  listed(object, context) {
    const { dashboard_id, display_name, warehouse_id, create_time, lifecycle_state } =
      DASHBOARDS.view?.(object, context) ?? {};
    return omitAbsent({ dashboard_id, display_name, warehouse_id, create_time, lifecycle_state });
  },
};

function placeIn({ query: { dataset_catalog, dataset_schema } }: PlatformCall): DatasetPlace {
  const given = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
  return { catalog: given(dataset_catalog), schema: given(dataset_schema) };
}
