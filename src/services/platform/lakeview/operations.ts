import { ok } from '../../../kernel/http/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import { findObject } from '../engine/find.ts';
import type { ObjectKind } from '../engine/kind.ts';
import { listObjects, viewOf, viewsOf } from '../engine/list.ts';
import { changeObject, createObject, deleteObject } from '../engine/operations.ts';
import { kindOperations } from '../engine/wire.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { DASHBOARDS } from './dashboards.ts';
import { MIGRATE_OPERATION } from './migrate.ts';
import { PUBLISH_OPERATIONS } from './publish.ts';
import { SCHEDULES, SUBSCRIPTIONS } from './schedules.ts';

/** The only existing view. */
const VIEW = 'DASHBOARD_VIEW_BASIC';

const SIZES = { usual: 20, most: 100 };

/** The body of a request, with the ids in its path added. */
const withIds = ({ body }: PlatformCall, ids: Readonly<Record<string, string>>): unknown =>
  body === undefined || body === null ? ids : isObject(body) ? { ...body, ...ids } : body;

function etagIn({ body, query }: PlatformCall): string | undefined {
  const sent = query.etag ?? (isObject(body) ? body.etag : undefined);
  if (sent === undefined || sent === null || typeof sent === 'string') return sent ?? undefined;
  throw errors.MALFORMED_REQUEST({
    reason: "Could not parse request object: the field 'etag' must be a string.",
  });
}

async function listed(call: PlatformCall, kind: ObjectKind, array: string, options: object) {
  const { items, next } = await listObjects(call, kind, { sizes: SIZES, ...options });
  const found = items.map(({ value }) => value);
  const views = await viewsOf(call, kind, found, { inList: true });
  return ok({ [array]: views, ...(next !== undefined && { next_page_token: next }) });
}

const PATH = '/lakeview/dashboards';
const head = (operation: string, summary: string) =>
  ({ operation: `lakeview_${operation}`, summary: `Dashboards: ${summary}` }) as const;

const ofDashboards: readonly Operation[] = [
  ...kindOperations(DASHBOARDS, {
    of: 'Dashboards',
    operations: 'lakeview',
    create: { method: 'POST', path: PATH },
    get: { method: 'GET', path: `${PATH}/{id}`, trashed: true },
    remove: { method: 'DELETE', path: `${PATH}/{id}` },
  }),
  {
    ...head('list', 'list them'),
    method: 'GET',
    path: PATH,
    code: routeCode([], {
      async handle(call) {
        const { show_trashed: trashed = '', view = VIEW } = call.query;
        if (!['', 'true', 'false'].includes(String(trashed)))
          throw errors.INVALID_PARAMETER_VALUE({ reason: "The parameter 'show_trashed' must be true or false." });
        if (view !== VIEW && view !== '')
          throw errors.INVALID_PARAMETER_VALUE({ reason: `The parameter 'view' must be ${VIEW}.` });
        return listed(call, DASHBOARDS, 'dashboards', trashed === 'true' ? { trashed: 'with' } : {});
      },
    }),
  },
  {
    ...head('update', 'change the draft'),
    method: 'PATCH',
    path: `${PATH}/{id}`,
    code: routeCode(['id'], {
      async handle(call) {
        const { id } = call.params;
        const changed = await changeObject(call, DASHBOARDS, id, call.body ?? {}, { ifEtag: etagIn(call) });
        return ok(await viewOf(call, DASHBOARDS, changed));
      },
    }),
  },
];

const BELOW = `${PATH}/{dashboard_id}/schedules`;

const ofSchedules: readonly Operation[] = [
  {
    ...head('createSchedule', 'create a schedule'),
    method: 'POST',
    path: BELOW,
    code: routeCode(['dashboard_id'], {
      async handle(call) {
        const made = await createObject(call, SCHEDULES, withIds(call, { dashboard_id: call.params.dashboard_id }));
        return ok(await viewOf(call, SCHEDULES, made));
      },
    }),
  },
  {
    ...head('listSchedules', 'list the schedules of one'),
    method: 'GET',
    path: BELOW,
    code: routeCode(['dashboard_id'], {
      handle: (call) => listed(call, SCHEDULES, 'schedules', { parent: call.params.dashboard_id }),
    }),
  },
  {
    ...head('getSchedule', 'read a schedule'),
    method: 'GET',
    path: `${BELOW}/{id}`,
    code: routeCode(['dashboard_id', 'id'], {
      async handle(call) {
        const { dashboard_id: parent, id } = call.params;
        return ok(await viewOf(call, SCHEDULES, await findObject(call, SCHEDULES, id, { parent })));
      },
    }),
  },
  {
    ...head('updateSchedule', 'replace a schedule'),
    method: 'PUT',
    path: `${BELOW}/{id}`,
    code: routeCode(['dashboard_id', 'id'], {
      async handle(call) {
        const { dashboard_id, id } = call.params;
        const options = { replaces: true, ifEtag: etagIn(call), parent: dashboard_id };
        const changed = await changeObject(call, SCHEDULES, id, withIds(call, { dashboard_id }), options);
        return ok(await viewOf(call, SCHEDULES, changed));
      },
    }),
  },
  {
    ...head('deleteSchedule', 'delete a schedule'),
    method: 'DELETE',
    path: `${BELOW}/{id}`,
    code: routeCode(['dashboard_id', 'id'], {
      async handle(call) {
        const { dashboard_id: parent, id } = call.params;
        await deleteObject(call, SCHEDULES, id, { ifEtag: etagIn(call), parent });
        return ok({});
      },
    }),
  },
];

const SUBSCRIBED = `${BELOW}/{schedule_id}/subscriptions`;
const PARTS = ['dashboard_id', 'schedule_id'] as const;

type SubscribedCall = PlatformCall & { readonly params: Readonly<Record<(typeof PARTS)[number], string>> };

/** The schedule in the path; its permissions control access to its subscriptions. */
const scheduleOf = (call: SubscribedCall, level?: 'change') =>
  findObject(call, SCHEDULES, call.params.schedule_id, {
    parent: call.params.dashboard_id,
    ...(level && { level }),
  });

const membersOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});

/** A caller who may read a dashboard may subscribe to it and unsubscribe, since that concerns only the caller. */
const isOwn = (call: PlatformCall, { subscriber }: Readonly<Record<string, unknown>>): boolean =>
  String(membersOf(membersOf(subscriber).user_subscriber).user_id) === callerIdentity(call).principal.id;

const ofSubscriptions: readonly Operation[] = [
  {
    ...head('createSubscription', 'create a subscription to a schedule'),
    method: 'POST',
    path: SUBSCRIBED,
    code: routeCode(PARTS, {
      async handle(call) {
        await scheduleOf(call, isOwn(call, membersOf(call.body)) ? undefined : 'change');
        const { dashboard_id, schedule_id } = call.params;
        const made = await createObject(call, SUBSCRIPTIONS, withIds(call, { dashboard_id, schedule_id }));
        return ok(await viewOf(call, SUBSCRIPTIONS, made));
      },
    }),
  },
  {
    ...head('listSubscriptions', 'list the subscriptions to a schedule'),
    method: 'GET',
    path: SUBSCRIBED,
    code: routeCode(PARTS, {
      async handle(call) {
        const { id: parent } = await scheduleOf(call);
        return listed(call, SUBSCRIPTIONS, 'subscriptions', { parent });
      },
    }),
  },
  {
    ...head('getSubscription', 'read a subscription'),
    method: 'GET',
    path: `${SUBSCRIBED}/{id}`,
    code: routeCode([...PARTS, 'id'], {
      async handle(call) {
        const { id: parent } = await scheduleOf(call);
        return ok(await viewOf(call, SUBSCRIPTIONS, await findObject(call, SUBSCRIPTIONS, call.params.id, { parent })));
      },
    }),
  },
  {
    ...head('deleteSubscription', 'unsubscribe somebody'),
    method: 'DELETE',
    path: `${SUBSCRIBED}/{id}`,
    code: routeCode([...PARTS, 'id'], {
      async handle(call) {
        const { id: parent } = await scheduleOf(call);
        const { fields } = await findObject(call, SUBSCRIPTIONS, call.params.id, { parent });
        if (!isOwn(call, fields)) await scheduleOf(call, 'change');
        await deleteObject(call, SUBSCRIPTIONS, call.params.id, { ifEtag: etagIn(call), parent });
        return ok({});
      },
    }),
  },
];

export const LAKEVIEW_OPERATIONS: readonly Operation[] = [
  MIGRATE_OPERATION,
  ...PUBLISH_OPERATIONS,
  ...ofDashboards,
  ...ofSchedules,
  ...ofSubscriptions,
];
