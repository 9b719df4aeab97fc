import { Type } from 'typebox';
import { type Call, ok, routeCode } from '../../../kernel/http/route.ts';
import { findReport } from './find.ts';
import { Instant } from './query.ts';

const query = Type.Object({ date: Type.Optional(Instant) });
const responses = { 200: Type.Object({ exceeded_max_limit: Type.Boolean(), logs: Type.Array(Type.Object({})) }) };

/** What the device told in the session before it happened. Logs are counted when they come and not kept, so there are none. */
async function sessionLogs(call: Call, reportId: string) {
  await findReport(call, reportId);
  return ok({ exceeded_max_limit: false, logs: [] });
}

export const listSessionLogs = routeCode(['errorId'], {
  query,
  responses,
  handle: (call) => sessionLogs(call, call.params.errorId),
});

export const listCrashSessionLogs = routeCode(['crash_id'], {
  query,
  responses,
  handle: (call) => sessionLogs(call, call.params.crash_id),
});
