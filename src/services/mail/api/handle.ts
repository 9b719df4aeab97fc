import { type Answer, ApiError, asApiError, isJsonType } from '../../../kernel/http/index.ts';
import { jsonMistake, parseJson } from '../../../kernel/values/index.ts';
import { errors } from '../errors.ts';
import { errorAnswer, MAIL_FAMILY } from '../family.ts';
import { type MailHttpCall, type MailJar, routeCode } from '../jar.ts';
import { withMetadata } from './metadata.ts';
import { locate, type Prepared, prepare } from './prepare.ts';
import type { MailCall, RequestHead } from './request.ts';
import { acquireRequestLimits } from './request-limits.ts';
import type { Version } from './version.ts';

/** `/v1.0/me`, `/v1.0/me/…`, `/v1.0/users/{id}…`; does not match the list of users. */
const IN_MAILBOX = /^\/[^/]+\/(?:me(?:\/|$)|users(?:\/.|\())/i;

/** Step of the family: finds the operation. Runs before authentication, so that a mistyped path is not reported as a wrong token. */
export function locateCall(call: MailHttpCall): void {
  if (call.route.open || !IN_MAILBOX.test(call.path)) return;
  const head = headOf(call);
  const located = locate(head);
  call.facts.admit = async (caller) => {
    const prepared = await prepare(call.jar, caller, head, located);
    call.facts.run = (body, signal) => perform(call.jar, prepared, body, signal);
    call.operation = `Mail_${prepared.operation.name}`;
  };
}

/** Step of the family: checks that the token allows the operation, and finds the mailbox, before the body is read. */
export async function prepareCall({ facts, caller }: MailHttpCall): Promise<void> {
  if (caller) await facts.admit?.(caller);
}

/** Handles every path below a mailbox. */
export const mailbox = routeCode([], {
  async handle(call) {
    const { run } = call.facts;
    if (!run) throw errors.BadRequest__Path({ segment: call.path.slice(0, 100), hint: '' });
    return run(Buffer.isBuffer(call.body) && call.body.length > 0 ? call.body : undefined, call.signal);
  },
});

export function headOf(call: MailHttpCall): RequestHead {
  const { method, url, query, headers, origin, requestId, receivedAt } = call;
  const question = url.indexOf('?');
  const [version = '', ...rest] = call.path.slice(1).split('/');
  return {
    method,
    version: version.toLowerCase() as Version,
    origin,
    path: rest.join('/'),
    query,
    search: question < 0 ? '' : url.slice(question + 1),
    headers,
    requestId,
    receivedAt,
  };
}

/** Runs a prepared request within the limits of the application and the mailbox. */
export async function perform(
  jar: MailJar,
  prepared: Prepared,
  bytes: Buffer | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  const { head, operation, caller, prefer, mailbox: box } = prepared;
  const release = await acquireRequestLimits(jar, {
    application: caller.applicationId,
    mailbox: box.id,
    caller,
    bytes: bytes?.length ?? 0,
  });
  try {
    const call: MailCall = {
      ...head,
      ...prepared,
      jar,
      bytes,
      signal,
      responseHeaders: {},
      json: bodyReader(head, bytes),
    };
    const answer = await operation.handle(call);
    const applied: Record<string, string> =
      prefer.applied.length > 0 ? { 'preference-applied': prefer.applied.join(', ') } : {};
    return withMetadata(head, { ...answer, headers: { ...answer.headers, ...call.responseHeaders, ...applied } });
  } finally {
    release?.();
  }
}

/** Parses the body on first use and caches the result. */
export function bodyReader({ headers }: RequestHead, bytes: Buffer | undefined): () => unknown {
  let read: { readonly value: unknown } | undefined;
  return () => {
    read ??= { value: bytes === undefined ? undefined : parsed(bytes, headers['content-type']) };
    return read.value;
  };
}

function parsed(bytes: Buffer, contentType: string | string[] | undefined): unknown {
  if (contentType !== undefined && !isJsonType(String(contentType)))
    throw errors.RequestBodyRead({
      reason: `A body of the type 'application/json' is expected, not '${String(contentType).slice(0, 100)}'.`,
    });
  try {
    return parseJson(bytes);
  } catch (cause) {
    throw errors.BadRequest({ reason: `Unable to read JSON request payload. ${jsonMistake(cause)}` }, { cause });
  }
}

/** The answer to a failed request of a batch: the same as if it had been sent alone. */
export function failedAnswer(jar: MailJar, thrown: unknown, head: RequestHead): Answer {
  if (!(thrown instanceof ApiError))
    jar.log.error({ err: thrown, requestId: head.requestId }, 'a request of a batch failed unexpectedly');
  return errorAnswer(asApiError(thrown, MAIL_FAMILY), head);
}
