import { type Answer, ApiError, asApiError, isJsonType } from '../../../kernel/http/index.ts';
import type { BusinessRequest } from '../api/request.ts';
import type { Session } from '../api/session.ts';
import { errors } from '../errors.ts';
import { BUSINESS, errorBody } from '../family.ts';
import { BATCH_ITEMS } from '../throttle/limits.ts';
import { boundaryOf, MultipartError } from './multipart.ts';
import type { Dispatch } from './perform.ts';
import { type BatchStep, countItems } from './plan.ts';
import { readJsonBatch } from './read-json.ts';
import { readMultipartBatch } from './read-multipart.ts';
import { jsonReply, multipartReply } from './reply.ts';
import { runBatch } from './run.ts';

const CONTINUE = /(^|[,;\s])(odata\.)?continue-on-error(\s*=\s*"?(true|false)"?)?\s*([,;]|$)/i;
/** Headers of the batch that its requests inherit. */
const INHERITED = ['accept-language', 'data-access-intent', 'company'];

/** Many requests in one: `POST …/$batch`, whose body arrives as bytes. */
export async function handleBatch(session: Session, request: BusinessRequest, dispatch: Dispatch): Promise<Answer> {
  const { headers } = request;
  const isSnapshot = readIsolation(headers);
  const continues = continuesOnError(headers.prefer);
  const steps = readSteps(request);
  await checkCount(session, countItems(steps));
  const done = await runBatch(
    {
      session,
      dispatch,
      isSnapshot,
      continuesOnError: continues,
      inherited: inheritedFrom(request),
      render: (error) => rendered(session, error),
    },
    steps,
  );
  const reply = await (wantsJson(headers.accept) ? jsonReply : multipartReply)(done);
  const applied: Record<string, string> = continues ? { 'preference-applied': 'odata.continue-on-error' } : {};
  return { ...reply, headers: { ...reply.headers, ...applied } };
}

function readSteps({ headers, body }: BusinessRequest): BatchStep[] {
  const type = String(headers['content-type'] ?? '');
  const boundary = boundaryIn(type);
  if (boundary === undefined && !isJsonType(type)) {
    const reason = `A batch is 'application/json' or 'multipart/mixed', not '${type.slice(0, 100)}'.`;
    throw errors.BadRequest__MediaType({ reason }, { target: 'Content-Type' });
  }
  if (!Buffer.isBuffer(body) || body.length === 0) throw errors.BadRequest({ reason: 'The batch is empty.' });
  return boundary === undefined ? readJsonBatch(body) : readMultipartBatch(body, boundary);
}

function boundaryIn(type: string): string | undefined {
  try {
    return boundaryOf(type);
  } catch (error) {
    if (!(error instanceof MultipartError)) throw error;
    throw errors.BadRequest({ reason: `The batch cannot be read: ${error.message}.` }, { target: 'Content-Type' });
  }
}

/** Uses the limit engine, so that this limit is configured like others: a concurrency limit whose scope is the single batch. */
async function checkCount({ jar, requestId }: Session, count: number): Promise<void> {
  const decision = await jar.limits.take([{ limit: BATCH_ITEMS, scope: [requestId], cost: count }]);
  decision.release?.();
  if (decision.allowed) return;
  const maximum = decision.readings[0]?.maximum;
  throw errors.Unknown({ reason: `The batch has ${count} requests; the maximum is ${maximum}.` });
}

function readIsolation({ isolation, 'odata-isolation': standard }: BusinessRequest['headers']): boolean {
  const asked = String(standard ?? isolation ?? '').trim();
  if (asked === '') return false;
  if (asked.toLowerCase() === 'snapshot') return true;
  const reason = `The isolation '${asked.slice(0, 100)}' is not supported; use 'snapshot'.`;
  throw errors.BadRequest({ reason }, { target: 'Isolation' });
}

function continuesOnError(prefer: string | string[] | undefined): boolean {
  const found = CONTINUE.exec(String(prefer ?? ''));
  return found !== null && found[4]?.toLowerCase() !== 'false';
}

/** Answers in JSON only if the client accepts JSON, whatever the form of the batch. */
function wantsJson(accept: string | string[] | undefined): boolean {
  return String(accept ?? '')
    .split(',')
    .some((range) => isJsonType(range.trim()) && !/;\s*q\s*=\s*0(\.0*)?\s*(;|$)/i.test(range));
}

function inheritedFrom({ headers, query }: BusinessRequest): Record<string, string> {
  const inherited: Record<string, string> = {};
  if (typeof query.company === 'string') inherited.company = query.company;
  for (const name of INHERITED) {
    const value = headers[name];
    if (typeof value === 'string') inherited[name] = value;
  }
  return inherited;
}

/** Renders an error as a single request would get it. */
function rendered({ jar, requestId, correlationId }: Session, thrown: unknown): Answer {
  const error = asApiError(thrown, BUSINESS);
  if (!(thrown instanceof ApiError))
    jar.log.error({ err: thrown, requestId }, 'a request of a batch failed unexpectedly');
  return { status: error.status, headers: error.headers, body: errorBody(error.code, error.message, correlationId) };
}
