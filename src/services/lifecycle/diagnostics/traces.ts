import { Type } from 'typebox';
import { type Answer, ok } from '../../../kernel/http/index.ts';
import type { Call } from '../../../kernel/service/index.ts';
import { appOf } from '../access/access.ts';
import { routeCode } from '../jar.ts';
import type { Report } from './collections.ts';
import { bodyOf, findGroup, findReport, latestReport } from './find.ts';
import { fileAddress } from './links.ts';
import { Location, StackTrace } from './schemas.ts';
import { stackTraceText, stackTraceView } from './stack-trace.ts';

/** The stack trace of a group's newest report. */
export const groupStackTrace = routeCode(['errorGroupId'], {
  responses: { 200: StackTrace },
  handle: async (call) => traced(call, await latestReport(call, await findGroup(call, call.params.errorGroupId))),
});

export const errorStackTrace = routeCode(['errorGroupId', 'errorId'], {
  responses: { 200: StackTrace },
  handle: async (call) => traced(call, await findReport(call, call.params.errorId, call.params.errorGroupId)),
});

export async function traced(call: Call, report: Report, options?: { groupingOnly?: boolean }): Promise<Answer> {
  return ok(stackTraceView(report, await bodyOf(call, report), appOf(call), options));
}

/** A signed URL of this jar, valid for a limited time for any holder. */
export const errorLocation = routeCode(['errorGroupId', 'errorId'], {
  responses: { 200: Location },
  async handle(call) {
    const { appId, id } = await findReport(call, call.params.errorId, call.params.errorGroupId);
    return ok({ uri: fileAddress(call, 'report', `${appId}/${id}`) });
  },
});

const FORMATS = { json: 'application/json; charset=utf-8', txt: 'text/plain; charset=utf-8' } as const;

export const errorDownload = routeCode(['errorGroupId', 'errorId'], {
  query: Type.Object({ format: Type.Optional(Type.Enum(['json', 'txt'])) }),
  responses: { 200: 'The report as a file' },
  async handle(call) {
    const { format = 'json' } = call.query;
    const report = await findReport(call, call.params.errorId, call.params.errorGroupId);
    const body = await bodyOf(call, report);
    const text = format === 'json' ? JSON.stringify(body.content) : stackTraceText(report, body, appOf(call));
    const headers = {
      'content-type': FORMATS[format],
      'content-disposition': `attachment; filename="${report.id}.${format}"`,
    };
    return { status: 200, headers, body: text };
  },
});
