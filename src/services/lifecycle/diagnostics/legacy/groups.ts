import { Type } from 'typebox';
import { decodeSkipToken, encodeSkipToken, ok } from '../../../../kernel/http/index.ts';
import { allOf, atLeast, atMost, eq } from '../../../../kernel/store/index.ts';
import { appOf } from '../../access/access.ts';
import { errors } from '../../errors.ts';
import { routeCode } from '../../jar.ts';
import { GROUP_STATES, reportGroups } from '../collections.ts';
import { findGroup, latestReport } from '../find.ts';
import { changeGroup, LONGEST_ANNOTATION } from '../groups.ts';
import { eqIfGiven, Instant, instantOf } from '../query.ts';
import { StackTrace } from '../schemas.ts';
import { containing } from '../search.ts';
import { traced } from '../traces.ts';
import { CrashGroup } from './schemas.ts';
import { crashGroupView } from './views.ts';

const PAGE_SIZE = 100;

const ORDERS = {
  last_occurrence: 'last',
  count: 'count',
  display_id: 'id',
  impacted_users: 'deviceCount',
} as const;

type OrderName = keyof typeof ORDERS;
const ORDER_TEXTS = (Object.keys(ORDERS) as OrderName[]).flatMap((name) => [`${name} asc`, `${name} desc`] as const);

const State = Type.Enum([...GROUP_STATES]);
const instantIfGiven = (name: string, value: string | undefined) =>
  value === undefined ? undefined : instantOf(name, value);

export const listCrashGroups = routeCode([], {
  query: Type.Object({
    last_occurrence_from: Type.Optional(Instant),
    last_occurrence_to: Type.Optional(Instant),
    app_version: Type.Optional(Type.String()),
    group_type: Type.Optional(Type.String()),
    group_status: Type.Optional(State),
    group_text_search: Type.Optional(Type.String({ maxLength: 500 })),
    $orderby: Type.Optional(Type.Enum(ORDER_TEXTS)),
    continuation_token: Type.Optional(Type.String()),
  }),
  responses: {
    200: Type.Object({
      crash_groups: Type.Array(CrashGroup),
      limited_result_set: Type.Boolean(),
      continuation_token: Type.Optional(Type.String()),
    }),
  },
  async handle(call) {
    const { query, jar } = call;
    const app = appOf(call);
    const from = instantIfGiven('last_occurrence_from', query.last_occurrence_from);
    const to = instantIfGiven('last_occurrence_to', query.last_occurrence_to);
    const filter = allOf(
      eq('appId', app.id),
      from === undefined ? undefined : atLeast('last', from),
      to === undefined ? undefined : atMost('last', to),
      eqIfGiven('version', query.app_version),
      eqIfGiven('state', query.group_status),
      ...containing(query.group_text_search),
    );
    const [name, direction] = (query.$orderby ?? 'last_occurrence desc').split(' ') as [OrderName, string];
    const order = [{ field: ORDERS[name], descending: direction === 'desc' }];
    const question = JSON.stringify(['crash groups', filter, order]);
    const { continuation_token: token } = query;
    const after = token === undefined ? undefined : decodeSkipToken(jar.vault, question, token);
    if (token !== undefined && !after) {
      const reason = "The 'continuation_token' is not valid for this list.";
      throw errors.BadRequest({ reason }, { target: 'continuation_token' });
    }
    const page = await jar.store.query(reportGroups, { filter, order, limit: PAGE_SIZE, ...(after && { after }) });
    return ok({
      crash_groups: page.items.map(({ value }) => crashGroupView(value, app)),
      limited_result_set: page.next !== undefined,
      ...(page.next && { continuation_token: encodeSkipToken(jar.vault, question, page.next) }),
    });
  },
});

export const getCrashGroup = routeCode(['crash_group_id'], {
  responses: { 200: CrashGroup },
  handle: async (call) => ok(crashGroupView(await findGroup(call, call.params.crash_group_id), appOf(call))),
});

export const updateCrashGroup = routeCode(['crash_group_id'], {
  body: Type.Object({
    status: Type.Optional(State),
    annotation: Type.Optional(Type.String({ maxLength: LONGEST_ANNOTATION })),
  }),
  responses: { 200: CrashGroup },
  async handle(call) {
    const { status: state, annotation } = call.body;
    return ok(crashGroupView(await changeGroup(call, call.params.crash_group_id, { state, annotation }), appOf(call)));
  },
});

export const GROUPING_ONLY = { grouping_only: Type.Optional(Type.Boolean()) };

export const crashGroupStackTrace = routeCode(['crash_group_id'], {
  query: Type.Object(GROUPING_ONLY),
  responses: { 200: StackTrace },
  async handle(call) {
    const latest = await latestReport(call, await findGroup(call, call.params.crash_group_id));
    return traced(call, latest, { groupingOnly: call.query.grouping_only ?? false });
  },
});
