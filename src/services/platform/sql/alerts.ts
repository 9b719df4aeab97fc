import type { Tx } from '../../../kernel/store/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { omitAbsent } from '../../../kernel/values/index.ts';
import { findObject } from '../engine/find.ts';
import { inFolder, shownFolder } from '../engine/folders.ts';
import { membersOf, textOf } from '../engine/json.ts';
import type { ObjectKind } from '../engine/kind.ts';
import { kindOperations } from '../engine/wire.ts';
import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { answersOnly, COMMON_ANSWERS } from './answers.ts';
import { evaluationOf } from './evaluation/state.ts';
import { ownerName } from './owner.ts';
import { QUERIES } from './queries.ts';
import { THRESHOLD_VALUE } from './threshold.ts';
import { TRASH_DAYS } from './trash.ts';

export const COMPARISONS = [
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL',
  'EQUAL',
  'NOT_EQUAL',
  'IS_NULL',
] as const;

/** An alert on a column of a query's first row. `evaluation/` evaluates it. */
export const ALERTS: ObjectKind = {
  name: 'alerts',
  title: 'Alert',
  scope: 'workspace',
  idField: 'id',
  nameField: 'display_name',
  folderField: 'parent_path',
  unique: 'folder',
  trashDays: TRASH_DAYS,
  permissions: { type: 'alerts', read: 'CAN_VIEW', change: 'CAN_EDIT', remove: 'CAN_MANAGE' },
  ownerField: 'owner_user_name',
  fields: {
    ...COMMON_ANSWERS,
    ...answersOnly('state', 'trigger_time'),
    display_name: { type: 'string', least: 1, default: 'New Alert' },
    query_id: { type: 'string', required: true },
    condition: {
      type: 'object',
      required: true,
      members: {
        op: { type: 'string', required: true, words: COMPARISONS },
        operand: {
          type: 'object',
          required: true,
          members: {
            column: {
              type: 'object',
              required: true,
              members: { name: { type: 'string', required: true, least: 1 } },
            },
          },
        },
        threshold: { type: 'object', members: { value: { type: 'object', required: true, members: THRESHOLD_VALUE } } },
        empty_result_state: { type: 'string', words: ['UNKNOWN', 'OK', 'TRIGGERED'] },
      },
    },
    seconds_to_retrigger: { type: 'integer', least: 0 },
    notify_on_ok: { type: 'boolean' },
    custom_subject: { type: 'string' },
    custom_body: { type: 'string' },
    parent_path: { type: 'string' },
    // Only in the older API.
    muted: { type: 'boolean' },
  },
  hooks: {
    async check(tx, call, { fields }, before) {
      const { op, threshold } = membersOf(fields.condition);
      const value = Object.keys(membersOf(membersOf(threshold).value));
      if (op !== 'IS_NULL' && value.length !== 1)
        throw errors.INVALID_PARAMETER_VALUE({
          reason: "The field 'condition.threshold.value' must have exactly one value.",
        });
      if (fields.query_id !== before?.fields.query_id) await checkQuery(tx, call, textOf(fields.query_id) ?? '');
      return inFolder(tx, call, ALERTS, fields, before);
    },
  },
  view: (object, context) => ({
    ...ALERTS.listed?.(object, context),
    parent_path: shownFolder(textOf(object.fields.parent_path) ?? ''),
  }),
  listed(object, context) {
    const { id, fields, createdAt, updatedAt, trashedAt } = object;
    const { state, triggeredAt } = evaluationOf(object);
    const { parent_path: _parentPath, muted: _muted, ...shown } = fields;
    return omitAbsent({
      id,
      ...shown,
      state,
      trigger_time: triggeredAt === undefined ? undefined : isoTime(triggeredAt),
      owner_user_name: ownerName(object, context),
      lifecycle_state: trashedAt === undefined ? 'ACTIVE' : 'TRASHED',
      create_time: isoTime(createdAt),
      update_time: isoTime(updatedAt),
    });
  },
};

/** The query must exist and be readable; an alert cannot use a query in the trash. */
const checkQuery = (tx: Tx, call: PlatformCall, id: string): Promise<unknown> =>
  findObject(call, QUERIES, id, { reader: tx });

const PATH = '/sql/alerts';

export const ALERT_OPERATIONS: readonly Operation[] = kindOperations(ALERTS, {
  of: 'Alerts',
  operations: 'alerts',
  create: { method: 'POST', path: PATH, wraps: 'alert' },
  get: { method: 'GET', path: `${PATH}/{id}`, trashed: true },
  list: { method: 'GET', path: PATH, array: 'results' },
  update: { method: 'PATCH', path: `${PATH}/{id}`, wraps: 'alert', mask: 'body', maskRequired: true },
  remove: { method: 'DELETE', path: `${PATH}/{id}` },
});
