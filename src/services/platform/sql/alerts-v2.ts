import { ok } from '../../../kernel/http/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { omitAbsent } from '../../../kernel/values/index.ts';
import { checkCron, cronFields } from '../engine/cron.ts';
import type { FieldRules } from '../engine/fields.ts';
import { inFolder, shownFolder } from '../engine/folders.ts';
import { membersOf, textOf } from '../engine/json.ts';
import type { ObjectKind } from '../engine/kind.ts';
import { deleteObject } from '../engine/operations.ts';
import { kindOperations } from '../engine/wire.ts';
import { errors } from '../errors.ts';
import { routeCode, workspaceIn } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { checkSubscriptions, checkThreshold, runAsIn } from './alert-rules.ts';
import { COMPARISONS } from './alerts.ts';
import { answersOnly, COMMON_ANSWERS } from './answers.ts';
import { cancelEvaluation, planEvaluation } from './evaluation/schedule.ts';
import { evaluationOf } from './evaluation/state.ts';
import { ownerName } from './owner.ts';
import { THRESHOLD_VALUE } from './threshold.ts';
import { TRASH_DAYS } from './trash.ts';

const AGGREGATIONS = ['AVG', 'COUNT', 'COUNT_DISTINCT', 'MAX', 'MEDIAN', 'MIN', 'STDDEV', 'SUM'] as const;

const COLUMN: FieldRules = {
  name: { type: 'string', required: true, least: 1 },
  aggregation: { type: 'string', words: AGGREGATIONS },
  display: { type: 'string' },
};

/** Alerts with their own query and schedule. `evaluation/` evaluates them. */
export const ALERTS_V2: ObjectKind = {
  name: 'alerts-v2',
  title: 'Alert',
  scope: 'workspace',
  idField: 'id',
  nameField: 'display_name',
  folderField: 'parent_path',
  unique: 'folder',
  trashDays: TRASH_DAYS,
  permissions: { type: 'alertsv2', read: 'CAN_READ', change: 'CAN_EDIT', remove: 'CAN_MANAGE' },
  fields: {
    ...COMMON_ANSWERS,
    ...answersOnly('effective_run_as'),
    display_name: { type: 'string', required: true, least: 1 },
    query_text: { type: 'string', required: true, least: 1 },
    warehouse_id: { type: 'string', required: true, least: 1 },
    evaluation: {
      type: 'object',
      required: true,
      members: {
        source: { type: 'object', required: true, members: COLUMN },
        comparison_operator: {
          type: 'string',
          required: true,
          words: [...COMPARISONS, 'IS_NOT_NULL'],
        },
        threshold: {
          type: 'object',
          members: { column: { type: 'object', members: COLUMN }, value: { type: 'object', members: THRESHOLD_VALUE } },
        },
        empty_result_state: { type: 'string', words: ['UNKNOWN', 'OK', 'TRIGGERED', 'ERROR'] },
        ...answersOnly('state', 'last_evaluated_at'),
        notification: {
          type: 'object',
          members: {
            subscriptions: {
              type: 'array',
              most: 100,
              items: {
                type: 'object',
                members: { user_email: { type: 'string' }, destination_id: { type: 'string' } },
              },
            },
            notify_on_ok: { type: 'boolean' },
            retrigger_seconds: { type: 'integer', least: 0 },
          },
        },
      },
    },
    schedule: {
      type: 'object',
      required: true,
      members: {
        ...cronFields('quartz_cron_schedule'),
        pause_status: { type: 'string', words: ['PAUSED', 'UNPAUSED'], default: 'UNPAUSED' },
      },
    },
    parent_path: { type: 'string' },
    run_as: {
      type: 'object',
      members: { user_name: { type: 'string' }, service_principal_name: { type: 'string' } },
    },
    // The older way to name a service principal.
    run_as_user_name: { type: 'string' },
    custom_summary: { type: 'string' },
    custom_description: { type: 'string' },
  },
  hooks: {
    async check(tx, call, { fields }, before) {
      const { quartz_cron_schedule, timezone_id } = membersOf(fields.schedule);
      checkCron('schedule.quartz_cron_schedule', textOf(quartz_cron_schedule) ?? '', textOf(timezone_id) ?? '');
      checkThreshold(membersOf(fields.evaluation));
      await checkSubscriptions(tx, workspaceIn(call).id, membersOf(fields.evaluation));
      const place = await inFolder(tx, call, ALERTS_V2, fields, before);
      if (before && place.parent_path !== before.folder)
        throw errors.INVALID_PARAMETER_VALUE({ reason: "The field 'parent_path' cannot be changed." });
      return { ...place, ...(await runAsIn(tx, call, fields, before?.fields)) };
    },
    created: (tx, { jar }, alert) => planEvaluation(tx, jar, alert),
    changed: (tx, { jar }, alert, before) => planEvaluation(tx, jar, alert, before),
    deleted: (tx, _jar, alert) => cancelEvaluation(tx, alert),
  },
  view(object, context) {
    const { id, fields, createdAt, updatedAt, trashedAt } = object;
    const { state, evaluatedAt } = evaluationOf(object);
    const owner = ownerName(object, context);
    const runAs = membersOf(fields.run_as);
    return omitAbsent({
      id,
      ...fields,
      evaluation: omitAbsent({
        ...membersOf(fields.evaluation),
        state,
        last_evaluated_at: evaluatedAt === undefined ? undefined : isoTime(evaluatedAt),
      }),
      parent_path: shownFolder(textOf(fields.parent_path) ?? ''),
      effective_run_as: fields.run_as ?? { user_name: owner },
      run_as_user_name: textOf(runAs.user_name) ?? textOf(runAs.service_principal_name) ?? owner,
      owner_user_name: owner,
      lifecycle_state: trashedAt === undefined ? 'ACTIVE' : 'DELETED',
      create_time: isoTime(createdAt),
      update_time: isoTime(updatedAt),
    });
  },
};

const PATH = '/alerts';

export const ALERT_V2_OPERATIONS: readonly Operation[] = [
  ...kindOperations(ALERTS_V2, {
    of: 'Alerts v2',
    operations: 'alertsV2',
    create: { method: 'POST', path: PATH },
    get: { method: 'GET', path: `${PATH}/{id}`, trashed: true },
    list: { method: 'GET', path: PATH, array: 'alerts' },
    update: { method: 'PATCH', path: `${PATH}/{id}`, mask: 'query', maskRequired: true },
  }),
  {
    method: 'DELETE',
    path: `${PATH}/{id}`,
    operation: 'alertsV2_delete',
    summary: 'Alerts v2: move one to the trash, or delete it for good with `purge`',
    code: routeCode(['id'], {
      async handle(call) {
        const { purge = 'false' } = call.query;
        if (purge !== 'true' && purge !== 'false' && purge !== '')
          throw errors.INVALID_PARAMETER_VALUE({ reason: "The parameter 'purge' must be true or false." });
        await deleteObject(call, ALERTS_V2, call.params.id, { forGood: purge === 'true' });
        return ok({});
      },
    }),
  },
];
