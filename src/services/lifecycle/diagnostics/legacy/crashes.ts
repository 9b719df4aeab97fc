import { Type } from 'typebox';
import { created, ok } from '../../../../kernel/http/index.ts';
import { allOf, atLeast, atMost, eq } from '../../../../kernel/store/index.ts';
import { appOf } from '../../access/access.ts';
import { routeCode } from '../../jar.ts';
import { reports } from '../collections.ts';
import { removeReport } from '../errors-of-group.ts';
import { bodyOf, findGroup, findReport } from '../find.ts';
import { fileAddress } from '../links.ts';
import { eqIfGiven, Instant, instantOf } from '../query.ts';
import { Location, StackTrace } from '../schemas.ts';
import { stackTraceText, stackTraceView } from '../stack-trace.ts';
import { traced } from '../traces.ts';
import { GROUPING_ONLY } from './groups.ts';
import { Crash } from './schemas.ts';
import { crashDetails, crashView } from './views.ts';

/** The real service's maximum. */
const MOST_LISTED = 500;

const flag = Type.Optional(Type.Boolean());

export const listCrashes = routeCode(['crash_group_id'], {
  query: Type.Object({
    include_report: flag,
    include_log: flag,
    date_from: Type.Optional(Instant),
    date_to: Type.Optional(Instant),
    app_version: Type.Optional(Type.String()),
    error_type: Type.Optional(Type.String()),
  }),
  responses: { 200: Type.Array(Crash) },
  async handle(call) {
    const { query, jar } = call;
    const { id } = await findGroup(call, call.params.crash_group_id);
    const filter = allOf(
      eq('groupId', id),
      query.date_from === undefined ? undefined : atLeast('at', instantOf('date_from', query.date_from)),
      query.date_to === undefined ? undefined : atMost('at', instantOf('date_to', query.date_to)),
      eqIfGiven('version', query.app_version),
    );
    const order = [{ field: 'at', descending: true }];
    const { items } = await jar.store.query(reports, { filter, order, limit: MOST_LISTED });
    return ok(items.map(({ value }) => crashView(value)));
  },
});

/** The public client accepts only this status here. */
export const getCrash = routeCode(['crash_group_id', 'crash_id'], {
  query: Type.Object({
    ...GROUPING_ONLY,
    include_report: flag,
    include_log: flag,
    include_details: flag,
    include_stacktrace: flag,
  }),
  responses: { 201: Crash },
  async handle(call) {
    const { include_details, include_stacktrace, grouping_only: groupingOnly = false } = call.query;
    const report = await findReport(call, call.params.crash_id, call.params.crash_group_id);
    const body = await bodyOf(call, report);
    return created({
      ...crashView(report),
      ...(include_details && { details: crashDetails(report, body) }),
      ...(include_stacktrace && { stacktrace: stackTraceView(report, body, appOf(call), { groupingOnly }) }),
    });
  },
});

export const deleteCrash = routeCode(['crash_group_id', 'crash_id'], {
  query: Type.Object({ retention_delete: flag }),
  responses: {
    200: Type.Object({
      app_id: Type.String(),
      crash_group_id: Type.String(),
      crash_id: Type.String(),
      crashes_deleted: Type.Integer(),
      attachments_deleted: Type.Integer(),
      blobs_succeeded: Type.Integer(),
      blobs_failed: Type.Integer(),
    }),
  },
  async handle(call) {
    const { report, attachmentsDeleted } = await removeReport(call, call.params.crash_id, call.params.crash_group_id);
    return ok({
      app_id: report.appId,
      crash_group_id: report.groupId,
      crash_id: report.id,
      crashes_deleted: 1,
      attachments_deleted: attachmentsDeleted,
      blobs_succeeded: 1 + attachmentsDeleted,
      blobs_failed: 0,
    });
  },
});

export const crashStackTrace = routeCode(['crash_group_id', 'crash_id'], {
  query: Type.Object(GROUPING_ONLY),
  responses: { 200: StackTrace },
  async handle(call) {
    const report = await findReport(call, call.params.crash_id, call.params.crash_group_id);
    return traced(call, report, { groupingOnly: call.query.grouping_only ?? false });
  },
});

export const rawCrashLocation = routeCode(['crash_group_id', 'crash_id'], {
  responses: { 200: Location },
  async handle(call) {
    const { appId, id } = await findReport(call, call.params.crash_id, call.params.crash_group_id);
    return ok({ uri: fileAddress(call, 'report', `${appId}/${id}`) });
  },
});

/** The crash as text, in console form. */
const nativeCrash = (disposition: 'inline' | 'attachment') =>
  routeCode(['crash_group_id', 'crash_id'], {
    responses: { 200: 'The crash as text' },
    async handle(call) {
      const report = await findReport(call, call.params.crash_id, call.params.crash_group_id);
      const headers = {
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': `${disposition}; filename="${report.id}.txt"`,
      };
      return { status: 200, headers, body: stackTraceText(report, await bodyOf(call, report), appOf(call)) };
    },
  });

export const getNativeCrash = nativeCrash('inline');
export const downloadNativeCrash = nativeCrash('attachment');
