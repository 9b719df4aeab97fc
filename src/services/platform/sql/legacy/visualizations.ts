import { ok } from '../../../../kernel/http/index.ts';
import { isoTime } from '../../../../kernel/time/index.ts';
import { type JsonMembers, omitAbsent } from '../../../../kernel/values/index.ts';
import { type FieldRules, readFields } from '../../engine/fields.ts';
import { textOf } from '../../engine/json.ts';
import type { PlatformObject } from '../../engine/objects.ts';
import { changeObject, createObject, deleteObject } from '../../engine/operations.ts';
import { routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { VISUALIZATIONS } from '../visualizations.ts';

/** Visualizations in the older API: options are an object instead of a text. */

const FIELDS: FieldRules = {
  query_id: { type: 'string' },
  type: { type: 'string' },
  name: { type: 'string' },
  description: { type: 'string' },
  options: { type: 'object' },
};

function fromLegacy(sent: unknown): JsonMembers {
  const { query_id, type, name, description, options } = readFields(FIELDS, sent);
  return omitAbsent({
    query_id,
    type,
    display_name: name,
    description,
    serialized_options: options && JSON.stringify(options),
  });
}

export function legacyVisualization({ id, fields, createdAt, updatedAt }: PlatformObject): JsonMembers {
  const { type, display_name, description = '', serialized_options } = fields;
  return omitAbsent({
    id,
    type,
    name: display_name ?? type,
    description,
    options: JSON.parse(textOf(serialized_options) || '{}'),
    created_at: isoTime(createdAt),
    updated_at: isoTime(updatedAt),
  });
}

const PATH = '/preview/sql/visualizations';

export const LEGACY_VISUALIZATION_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: PATH,
    operation: 'legacyVisualizations_create',
    summary: 'Visualizations (older API): create one',
    code: routeCode([], {
      handle: async (call) =>
        ok(legacyVisualization(await createObject(call, VISUALIZATIONS, fromLegacy(call.body ?? {})))),
    }),
  },
  {
    method: 'POST',
    path: `${PATH}/{id}`,
    operation: 'legacyVisualizations_update',
    summary: 'Visualizations (older API): change one',
    code: routeCode(['id'], {
      async handle(call) {
        const changed = await changeObject(call, VISUALIZATIONS, call.params.id, fromLegacy(call.body ?? {}));
        return ok(legacyVisualization(changed));
      },
    }),
  },
  {
    method: 'DELETE',
    path: `${PATH}/{id}`,
    operation: 'legacyVisualizations_delete',
    summary: 'Visualizations (older API): delete one',
    code: routeCode(['id'], {
      async handle(call) {
        await deleteObject(call, VISUALIZATIONS, call.params.id);
        return ok({});
      },
    }),
  },
];
