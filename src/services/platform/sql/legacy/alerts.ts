import { ok } from '../../../../kernel/http/index.ts';
import { isoTime } from '../../../../kernel/time/index.ts';
import { type Json, type JsonMembers, omitAbsent } from '../../../../kernel/values/index.ts';
import { completeFields, type FieldRules, readFields } from '../../engine/fields.ts';
import { findObject } from '../../engine/find.ts';
import { numberedFolders } from '../../engine/folders.ts';
import { membersOf, textOf } from '../../engine/json.ts';
import { listObjects } from '../../engine/list.ts';
import { namesOf } from '../../engine/names.ts';
import { objectKey, objects, type PlatformObject } from '../../engine/objects.ts';
import { changeObject, createObject, deleteObject } from '../../engine/operations.ts';
import { errors } from '../../errors.ts';
import { accountIn, type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { ALERTS } from '../alerts.ts';
import { evaluationOf } from '../evaluation/state.ts';
import { QUERIES_NAME } from '../visualizations.ts';
import { legacyOptions, OPERATORS } from './alert-options.ts';
import { legacyHead } from './common.ts';
import { legacyQueryOptions } from './parameters.ts';

/** Alerts in the older API. Its delete operation is final, because that API has no trash for alerts. */

const FIELDS: FieldRules = {
  name: { type: 'string', required: true, least: 1 },
  query_id: { type: 'string', required: true },
  options: {
    type: 'object',
    required: true,
    members: {
      column: { type: 'string', required: true },
      op: { type: 'string', required: true, words: Object.keys(OPERATORS) },
      value: { type: 'any', required: true },
      muted: { type: 'boolean' },
      empty_result_state: { type: 'string', words: ['unknown', 'triggered', 'ok'] },
      custom_subject: { type: 'string' },
      custom_body: { type: 'string' },
    },
  },
  rearm: { type: 'integer', least: 0 },
  parent: { type: 'string', most: 200 },
};

function threshold(value: Json | undefined): JsonMembers {
  if (typeof value === 'number') return { double_value: value };
  if (typeof value === 'boolean') return { bool_value: value };
  if (typeof value === 'string') return { string_value: value };
  throw errors.INVALID_PARAMETER_VALUE({
    reason: "The field 'options.value' must be a string, a number or a boolean.",
  });
}

function fromLegacy(sent: unknown): JsonMembers {
  const { name, query_id, options, rearm, parent } = completeFields(FIELDS, readFields(FIELDS, sent));
  const { column, op, value, muted, empty_result_state, custom_subject, custom_body } = membersOf(options);
  return omitAbsent({
    display_name: name,
    query_id,
    condition: omitAbsent({
      op: OPERATORS[textOf(op) ?? ''],
      operand: { column: { name: column } },
      threshold: { value: threshold(value) },
      empty_result_state: textOf(empty_result_state)?.toUpperCase(),
    }),
    seconds_to_retrigger: rearm,
    parent_path: parent,
    custom_subject,
    custom_body,
    muted,
  });
}

async function views(call: PlatformCall, found: readonly PlatformObject[]): Promise<readonly JsonMembers[]> {
  const owners = found.map(({ createdBy, owner = createdBy }) => owner);
  const context = await namesOf(call.jar.store, accountIn(call).id, owners);
  const queries = new Map<string, PlatformObject>();
  for (const id of new Set(found.map(({ fields }) => textOf(fields.query_id) ?? ''))) {
    const query = await call.jar.store.get(objects, objectKey(found[0]?.scope ?? '', QUERIES_NAME, id));
    if (query) queries.set(id, query.value);
  }
  const folders = await numberedFolders(call, found);
  return found.map((object) => {
    const { id, user, created_at, updated_at } = legacyHead(object, context);
    const { fields } = object;
    const { state, triggeredAt } = evaluationOf(object);
    const query = queries.get(textOf(fields.query_id) ?? '');
    return omitAbsent({
      id,
      name: fields.display_name,
      options: legacyOptions(fields),
      parent: folders.get(object.folder ?? '/'),
      query: query && queryOf(query),
      rearm: fields.seconds_to_retrigger,
      state: state.toLowerCase(),
      last_triggered_at: triggeredAt === undefined ? null : isoTime(triggeredAt),
      user,
      created_at,
      updated_at,
    });
  });
}

/** The query of an alert, without the fields that only the view of a query has. */
const queryOf = (query: PlatformObject): JsonMembers => {
  const { id, name, fields, createdBy, owner = createdBy, createdAt, updatedAt, trashedAt } = query;
  return omitAbsent({
    id,
    name,
    query: fields.query_text,
    description: fields.description,
    data_source_id: fields.warehouse_id,
    tags: fields.tags ?? [],
    options: legacyQueryOptions(query),
    is_archived: trashedAt !== undefined,
    is_draft: false,
    is_safe: true,
    user_id: Number(owner),
    created_at: isoTime(createdAt),
    updated_at: isoTime(updatedAt),
  });
};

/** Fields that an update in the older API replaces: all that it knows except the folder. */
const REPLACED = [
  'display_name',
  'query_id',
  'condition',
  'seconds_to_retrigger',
  'custom_subject',
  'custom_body',
  'muted',
];

const PATH = '/preview/sql/alerts';
const head = (operation: string, summary: string) =>
  ({ operation: `legacyAlerts_${operation}`, summary: `Alerts (older API): ${summary}` }) as const;

const answer = async (call: PlatformCall, object: PlatformObject) => ok((await views(call, [object]))[0]);

export const LEGACY_ALERT_OPERATIONS: readonly Operation[] = [
  {
    ...head('create', 'create one'),
    method: 'POST',
    path: PATH,
    code: routeCode([], {
      handle: async (call) => answer(call, await createObject(call, ALERTS, fromLegacy(call.body ?? {}))),
    }),
  },
  {
    ...head('list', 'list them'),
    method: 'GET',
    path: PATH,
    code: routeCode([], {
      async handle(call) {
        const { items } = await listObjects(call, ALERTS, { sizes: { usual: 10_000, most: 10_000 } });
        return ok(
          await views(
            call,
            items.map(({ value }) => value),
          ),
        );
      },
    }),
  },
  {
    ...head('get', 'read one'),
    method: 'GET',
    path: `${PATH}/{id}`,
    code: routeCode(['id'], {
      handle: async (call) => answer(call, await findObject(call, ALERTS, call.params.id)),
    }),
  },
  {
    ...head('update', 'replace one'),
    method: 'PUT',
    path: `${PATH}/{id}`,
    code: routeCode(['id'], {
      async handle(call) {
        await changeObject(call, ALERTS, call.params.id, fromLegacy(call.body ?? {}), { mask: REPLACED });
        return ok({});
      },
    }),
  },
  {
    ...head('delete', 'delete one for good'),
    method: 'DELETE',
    path: `${PATH}/{id}`,
    code: routeCode(['id'], {
      async handle(call) {
        await deleteObject(call, ALERTS, call.params.id, { forGood: true });
        return ok({});
      },
    }),
  },
];
