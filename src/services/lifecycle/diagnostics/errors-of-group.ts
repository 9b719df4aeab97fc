import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import type { Call } from '../../../kernel/service/index.ts';
import { allOf, eq } from '../../../kernel/store/index.ts';
import { appOf } from '../access/access.ts';
import { routeCode } from '../jar.ts';
import { type Report, reports } from './collections.ts';
import { bodyOf, findGroup, findReport, latestReport } from './find.ts';
import { during, eqIfGiven, nextOf, PAGE, placeOf, topOf, WINDOW, windowOf } from './query.ts';
import { ErrorDetail, ListedError } from './schemas.ts';
import { errorViews, withBreadcrumbs } from './session-logs.ts';
import { errorDetail } from './views.ts';
import { dropReport, lockReports } from './write.ts';

const NEWEST_FIRST = [{ field: 'at', descending: true }];

export const listErrors = routeCode(['errorGroupId'], {
  query: Type.Object({ ...WINDOW, ...PAGE, model: Type.Optional(Type.String()), os: Type.Optional(Type.String()) }),
  responses: { 200: Type.Object({ errors: Type.Array(ListedError), nextLink: Type.Optional(Type.String()) }) },
  async handle(call) {
    const { query, jar } = call;
    const { id } = await findGroup(call, call.params.errorGroupId);
    const window = windowOf(call);
    const filter = allOf(
      eq('groupId', id),
      during('at', window),
      eqIfGiven('model', query.model),
      eqIfGiven('osVersion', query.os),
    );
    const question = ['errors', id, window.start, query.model, query.os];
    const after = placeOf(call, question, query.$skiptoken);
    const limit = topOf(query);
    const page = await jar.store.query(reports, { filter, order: NEWEST_FIRST, limit, ...(after && { after }) });
    return ok({
      errors: await errorViews(
        jar,
        page.items.map(({ value }) => value),
      ),
      ...nextOf(call, question, page.next),
    });
  },
});

export const latestError = routeCode(['errorGroupId'], {
  responses: { 200: ErrorDetail },
  handle: async (call) => detailed(call, await latestReport(call, await findGroup(call, call.params.errorGroupId))),
});

export const getError = routeCode(['errorGroupId', 'errorId'], {
  responses: { 200: ErrorDetail },
  handle: async (call) => detailed(call, await findReport(call, call.params.errorId, call.params.errorGroupId)),
});

async function detailed(call: Call, report: Report) {
  const hasBreadcrumbs = (await withBreadcrumbs(call.jar, [report])).has(report);
  return ok(errorDetail(report, await bodyOf(call, report), appOf(call), hasBreadcrumbs));
}

export const deleteError = routeCode(['errorGroupId', 'errorId'], {
  responses: {
    200: Type.Object({
      appId: Type.String(),
      errorGroupId: Type.String(),
      errorId: Type.String(),
      errorsDeleted: Type.Integer(),
      attachmentsDeleted: Type.Integer(),
      blobsSucceeded: Type.Integer(),
      blobsFailed: Type.Integer(),
    }),
  },
  async handle(call) {
    const { report, attachmentsDeleted } = await removeReport(call, call.params.errorId, call.params.errorGroupId);
    return ok({
      appId: report.appId,
      errorGroupId: report.groupId,
      errorId: report.id,
      errorsDeleted: 1,
      attachmentsDeleted,
      blobsSucceeded: 1 + attachmentsDeleted,
      blobsFailed: 0,
    });
  },
});

export interface Removal {
  readonly report: Report;
  readonly attachmentsDeleted: number;
}

export function removeReport(call: Call, id: string, groupId: string): Promise<Removal> {
  return call.jar.store.transact(async (tx) => {
    await lockReports(tx, appOf(call).id);
    const report = await findReport(call, id, groupId, tx);
    const attachmentsDeleted = await dropReport(tx, report);
    await tx.change({
      source: 'lifecycle',
      kind: 'delete',
      subject: `lifecycle/apps/${report.appId}/errors/${report.id}`,
      outcome: 'Succeeded',
      at: call.receivedAt,
      data: { errorGroupId: report.groupId },
    });
    return { report, attachmentsDeleted };
  });
}
