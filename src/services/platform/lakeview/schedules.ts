import { isoTime } from '../../../kernel/time/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { principalKey, principals } from '../accounts/collections.ts';
import { DESTINATIONS } from '../destinations/kind.ts';
import { checkCron, cronFields } from '../engine/cron.ts';
import { membersOf, numberOf, textOf } from '../engine/json.ts';
import type { KindPermissions, ObjectKind } from '../engine/kind.ts';
import { objectKey, objects } from '../engine/objects.ts';
import { errors } from '../errors.ts';
import { accountIn, workspaceIn } from '../jar.ts';
import { DASHBOARDS_NAME, SCHEDULES_NAME, SUBSCRIPTIONS_NAME } from './names.ts';
import { cancelSending, planSending } from './on-time.ts';

export const DASHBOARD_PERMISSIONS: KindPermissions = {
  type: 'dashboards',
  read: 'CAN_READ',
  change: 'CAN_EDIT',
  remove: 'CAN_MANAGE',
};

const times = (createdAt: number, updatedAt: number): JsonMembers => ({
  create_time: isoTime(createdAt),
  update_time: isoTime(updatedAt),
});

/** Subscribers of a dashboard's schedule: a user or a notification destination. */
export const SUBSCRIPTIONS: ObjectKind = {
  name: SUBSCRIPTIONS_NAME,
  title: 'Subscription',
  scope: 'workspace',
  idField: 'subscription_id',
  parent: { kind: SCHEDULES_NAME, field: 'schedule_id' },
  limit: 'schedule-subscriptions',
  etags: true,
  fields: {
    dashboard_id: { type: 'string', required: true, fixed: true },
    schedule_id: { type: 'string', required: true, fixed: true },
    subscriber: {
      type: 'object',
      required: true,
      members: {
        user_subscriber: { type: 'object', members: { user_id: { type: 'integer', required: true } } },
        destination_subscriber: { type: 'object', members: { destination_id: { type: 'string', required: true } } },
      },
    },
    /** The dashboard is refreshed for the subscriber, but nothing is sent. */
    skip_notify: { type: 'boolean' },
  },
  hooks: {
    async check(tx, call, { fields }) {
      const { user_subscriber, destination_subscriber } = membersOf(fields.subscriber);
      if ((user_subscriber === undefined) === (destination_subscriber === undefined))
        throw errors.INVALID_PARAMETER_VALUE({
          reason: "The field 'subscriber' must have either user_subscriber or destination_subscriber.",
        });
      const user = numberOf(membersOf(user_subscriber).user_id);
      const destination = textOf(membersOf(destination_subscriber).destination_id);
      const isThere =
        destination === undefined
          ? await tx.get(principals, principalKey(accountIn(call).id, String(user)), 'none')
          : await tx.get(objects, objectKey(workspaceIn(call).id, DESTINATIONS.name, destination), 'share');
      if (!isThere)
        throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `The subscriber ${destination ?? user} does not exist.` });
      return undefined;
    },
  },
  view: ({ id, fields, etag, createdBy, createdAt, updatedAt }) =>
    omitAbsent({
      subscription_id: id,
      ...fields,
      created_by_user_id: Number(createdBy),
      etag,
      ...times(createdAt, updatedAt),
    }),
};

/** Schedules for sending a published dashboard to its subscribers (`on-time.ts`). */
export const SCHEDULES: ObjectKind = {
  name: SCHEDULES_NAME,
  title: 'Schedule',
  scope: 'workspace',
  idField: 'schedule_id',
  parent: { kind: DASHBOARDS_NAME, field: 'dashboard_id', permissions: DASHBOARD_PERMISSIONS },
  children: [SUBSCRIPTIONS],
  limit: 'dashboard-schedules',
  etags: true,
  fields: {
    dashboard_id: { type: 'string', required: true, fixed: true },
    cron_schedule: { type: 'object', required: true, members: cronFields('quartz_cron_expression') },
    display_name: { type: 'string', most: 1000 },
    pause_status: { type: 'string', words: ['PAUSED', 'UNPAUSED'], default: 'UNPAUSED' },
    warehouse_id: { type: 'string' },
  },
  hooks: {
    async check(_tx, _call, { fields }) {
      const { quartz_cron_expression, timezone_id } = membersOf(fields.cron_schedule);
      checkCron(
        'cron_schedule.quartz_cron_expression',
        textOf(quartz_cron_expression) ?? '',
        textOf(timezone_id) ?? '',
      );
      return undefined;
    },
    created: (tx, { jar }, schedule) => planSending(tx, jar, schedule),
    changed: (tx, { jar }, schedule, before) => planSending(tx, jar, schedule, before),
    deleted: (tx, _jar, schedule) => cancelSending(tx, schedule),
  },
  view: ({ id, fields, etag, createdAt, updatedAt }) =>
    omitAbsent({ schedule_id: id, ...fields, etag, ...times(createdAt, updatedAt) }),
};
