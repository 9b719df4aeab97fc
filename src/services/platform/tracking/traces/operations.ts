import { ok } from '../../../../kernel/http/index.ts';
import { type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { Request } from '../request.ts';
import { done } from '../row.ts';
import { createAssessment, deleteAssessment, getAssessment, updateAssessment } from './assessments.ts';
import { deleteTraces, deleteTraceTag, linkToRun, setTraceTag } from './change.ts';
import type { Trace } from './collections.ts';
import { traceErrors } from './errors.ts';
import { findTrace } from './find.ts';
import { searchTraces, searchVersion2 } from './search.ts';
import { endTrace, recordCompleteTrace, startTrace } from './start.ts';
import { infoViews, oldViews, traceViews } from './view.ts';

type Version = '2.0' | '3.0';
const BOTH: readonly Version[] = ['2.0', '3.0'];
const [OLD, NEW]: readonly (readonly Version[])[] = [['2.0'], ['3.0']];

/** A row below `/mlflow/traces`, also served at the paths that browsers use. */
const row = (
  method: Operation['method'],
  versions: readonly Version[] | undefined,
  path: string,
  operation: string,
  summary: string,
  answer: (call: PlatformCall) => Promise<object>,
): Operation => ({
  method,
  path: `/mlflow/traces${path}`,
  versions: versions ?? BOTH,
  bare: (versions ?? BOTH).map((version) => `/ajax-api/${version}/mlflow/traces${path}`),
  operation: `traces_${operation}`,
  summary,
  code: routeCode([], { handle: async (call) => ok(await answer(call)) }),
});

const asOld = async (call: PlatformCall, trace: Trace) => {
  const [info] = await oldViews(call.jar.store, [trace]);
  return { trace_info: info };
};

const find = async (call: PlatformCall, id: string): Promise<Trace> =>
  (await findTrace(call.jar.store, call, id, 'CAN_READ')).trace;

const MOST_AT_ONCE = 100;

async function findAll(call: PlatformCall, request: Request): Promise<readonly Trace[]> {
  const ids = [...new Set(request.texts('trace_ids'))];
  if (ids.length > MOST_AT_ONCE)
    throw traceErrors.INVALID_PARAMETER_VALUE({
      reason: `At most ${MOST_AT_ONCE} trace_ids can be asked for at once, got ${ids.length}.`,
    });
  const found: Trace[] = [];
  for (const id of ids) found.push(await find(call, id));
  return found;
}

const whole = async (call: PlatformCall, trace: Trace) => {
  const [view] = await traceViews(call.jar.store, [trace]);
  return { trace: view };
};

const info = async (call: PlatformCall, trace: Trace) => {
  const [view] = await infoViews(call.jar.store, [trace]);
  return { trace: { trace_info: view } };
};

const listed = (name: string, list: readonly unknown[]) => (list.length === 0 ? {} : { [name]: list });

const ASSESSMENTS = '/{trace_id}/assessments';

export const TRACE_OPERATIONS: readonly Operation[] = [
  row('POST', OLD, '', 'start', 'Starts a trace', async (call) => asOld(call, await startTrace(call))),
  row('PATCH', OLD, '/{request_id}', 'end', 'Ends a trace', async (call) => asOld(call, await endTrace(call))),
  row('GET', OLD, '/{request_id}/info', 'info', 'Reads a trace', async (call) =>
    asOld(call, await find(call, String(call.params.request_id))),
  ),
  row('GET', OLD, '', 'list', 'Finds traces by a filter', searchVersion2),
  row('POST', OLD, '/link-to-run', 'linkToRun', 'Links traces to a run', done(linkToRun)),
  row('PATCH', undefined, '/{request_id}/tags', 'setTag', 'Sets a tag of a trace', done(setTraceTag)),
  row('DELETE', undefined, '/{request_id}/tags', 'deleteTag', 'Deletes a tag of a trace', done(deleteTraceTag)),
  row('POST', undefined, '/delete-traces', 'delete', 'Deletes traces', deleteTraces),
  row('POST', NEW, '', 'record', 'Records a whole trace', async (call) => info(call, await recordCompleteTrace(call))),
  row('POST', NEW, '/search', 'search', 'Finds traces by a filter', searchTraces),
  row('GET', NEW, '/get', 'read', 'Reads a trace with its spans', async (call) =>
    whole(call, await find(call, new Request(call.query).need('trace_id'))),
  ),
  row('POST', NEW, '/batchGetInfos', 'batchInfos', 'Reads several traces', async (call) =>
    listed('trace_infos', await infoViews(call.jar.store, await findAll(call, Request.ofBody(call.body)))),
  ),
  row('GET', NEW, '/batchGet', 'batchGet', 'Reads several traces with their spans', async (call) =>
    listed('traces', await traceViews(call.jar.store, await findAll(call, new Request(call.query)))),
  ),
  row('GET', NEW, '/{trace_id}', 'get', 'Reads a trace', async (call) =>
    info(call, await find(call, String(call.params.trace_id))),
  ),
  row('POST', NEW, ASSESSMENTS, 'createAssessment', 'Adds an assessment to a trace', createAssessment),
  row('GET', NEW, `${ASSESSMENTS}/{assessment_id}`, 'getAssessment', 'Reads an assessment', getAssessment),
  row('PATCH', NEW, `${ASSESSMENTS}/{assessment_id}`, 'updateAssessment', 'Changes an assessment', updateAssessment),
  row('DELETE', NEW, `${ASSESSMENTS}/{assessment_id}`, 'deleteAssessment', 'Deletes an assessment', deleteAssessment),
];
