import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import type { Call } from '../../../kernel/service/index.ts';
import { allOf, atLeast, atMost, eq, type Order } from '../../../kernel/store/index.ts';
import { appOf } from '../access/access.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { GROUP_STATES, type GroupState, groupKey, type ReportGroup, reportGroups } from './collections.ts';
import { findGroup } from './find.ts';
import { BUILD, ErrorType, eqIfGiven, nextOf, ofKind, PAGE, placeOf, topOf, WINDOW, windowOf } from './query.ts';
import { Group } from './schemas.ts';
import { groupView } from './views.ts';

/** Orders of group lists, for example `count desc`. */
const ORDERS: Readonly<Record<string, string>> = {
  count: 'count',
  devicecount: 'deviceCount',
  firstoccurrence: 'first',
  lastoccurrence: 'last',
  appversion: 'version',
};

function orderOf(text = 'count desc'): Order[] {
  const [name = '', direction = 'asc', ...rest] = text.trim().toLowerCase().split(/\s+/);
  const field = Object.hasOwn(ORDERS, name) ? ORDERS[name] : undefined;
  if (field === undefined || rest.length > 0 || !['asc', 'desc'].includes(direction)) {
    const reason = `'$orderby' must be one of count, deviceCount, firstOccurrence, lastOccurrence and appVersion, with asc or desc; '${text.slice(0, 60)}' is not.`;
    throw errors.BadRequest({ reason }, { target: '$orderby' });
  }
  return [{ field, descending: direction === 'desc' }];
}

const State = Type.Enum([...GROUP_STATES]);

export const listGroups = routeCode([], {
  query: Type.Object({
    ...WINDOW,
    ...BUILD,
    ...PAGE,
    groupState: Type.Optional(State),
    errorType: Type.Optional(ErrorType),
    $orderby: Type.Optional(Type.String()),
  }),
  responses: { 200: Type.Object({ errorGroups: Type.Array(Group), nextLink: Type.Optional(Type.String()) }) },
  async handle(call) {
    const { query, jar } = call;
    const app = appOf(call);
    const { start, end } = windowOf(call);
    const filter = allOf(
      eq('appId', app.id),
      atLeast('last', start),
      atMost('first', end),
      eqIfGiven('version', query.version),
      eqIfGiven('build', query.app_build),
      eqIfGiven('state', query.groupState),
      ofKind(query.errorType),
    );
    const order = orderOf(query.$orderby);
    // The end is left out, because its default is the current time.
    const question = [
      'groups',
      app.id,
      start,
      query.version,
      query.app_build,
      query.groupState,
      query.errorType,
      order,
    ];
    const after = placeOf(call, question, query.$skiptoken);
    const page = await jar.store.query(reportGroups, { filter, order, limit: topOf(query), ...(after && { after }) });
    return ok({
      errorGroups: page.items.map(({ value }) => groupView(value, app)),
      ...nextOf(call, question, page.next),
    });
  },
});

export const getGroup = routeCode(['errorGroupId'], {
  responses: { 200: Group },
  handle: async (call) => ok(groupView(await findGroup(call, call.params.errorGroupId), appOf(call))),
});

export const LONGEST_ANNOTATION = 4000;

export const updateGroup = routeCode(['errorGroupId'], {
  body: Type.Object({ state: State, annotation: Type.Optional(Type.String({ maxLength: LONGEST_ANNOTATION })) }),
  responses: { 200: Group },
  handle: async (call) => ok(groupView(await changeGroup(call, call.params.errorGroupId, call.body), appOf(call))),
});

export interface GroupChange {
  readonly state?: GroupState | undefined;
  readonly annotation?: string | undefined;
}

/** An empty annotation removes the existing one. */
export function changeGroup(call: Call, id: string, { state, annotation }: GroupChange): Promise<ReportGroup> {
  return call.jar.store.transact(async (tx) => {
    const { annotation: before, ...group } = await findGroup(call, id, tx);
    const text = annotation ?? before;
    const changed: ReportGroup = { ...group, ...(state && { state }), ...(text && { annotation: text }) };
    await tx.put(reportGroups, groupKey(group.appId, group.id), changed);
    await tx.change({
      source: 'lifecycle',
      kind: 'write',
      subject: `lifecycle/apps/${group.appId}/error_groups/${group.id}`,
      outcome: 'Succeeded',
      at: call.receivedAt,
      data: { state: changed.state },
    });
    return changed;
  });
}
