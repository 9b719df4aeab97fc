import type { ServerResponse } from 'node:http';
import { type Readable, Stream } from 'node:stream';
import type { JarClock } from '../clock/types.ts';
import type { RequestCall } from '../http/call.ts';
import { ApiError } from '../http/errors.ts';
import type { ApiFamily } from '../http/family.ts';
import type { ApplyFault, FaultOnRequest } from '../http/interference.ts';
import type { Owner } from '../http/owner.ts';
import type { Answer } from '../http/route.ts';
import { headersOf, payloadOf, type SentAnswer, send, writeHead } from '../http/send.ts';
import { answerOf } from './answer.ts';
import type { AppliedFault, Faults } from './index.ts';
import { promisedLength, sendDegraded } from './send-degraded.ts';
import type { FaultSubject } from './subject.ts';

/** No rule applies to the control API, since rules are removed through it; except its inboxes, which are receivers and may fail. */
const CONTROL = 'control';
const INBOX = '/_jar/inbox/';

/** The parts of a jar that carry out a rule. */
export interface FaultContext {
  readonly faults: Faults;
  readonly clock: JarClock;
  readonly closing: AbortSignal;
}

/** Checks whether a rule applies to a request; returns undefined synchronously if none does. */
export const interfereBy =
  (context: FaultContext): ApplyFault =>
  (service, call) => {
    const subject = subjectOf(service, call);
    return subject && context.faults.concerns(subject) ? applyRules(context, subject, service.family, call) : undefined;
  };

async function applyRules(
  context: FaultContext,
  subject: FaultSubject,
  family: ApiFamily,
  call: RequestCall,
): Promise<FaultOnRequest | undefined> {
  const struck = await context.faults.strike(subject);
  if (!struck) return undefined;
  const isStillThere = struck.latencyMs === undefined || (await waited(context, call, struck.latencyMs));
  const answer = isStillThere
    ? answerOf(struck, family, call)
    : family.renderError(new ApiError(503, family.codes.unavailable, 'The jar is closing.'), call);
  return {
    rule: struck.rule,
    dropped: struck.drop === true || (!isStillThere && !context.closing.aborted),
    answer,
    mark(real) {
      const added = answer === undefined ? struck.headers : undefined;
      return { ...real, headers: { ...real.headers, ...added, 'x-cloudjar-fault': struck.rule } };
    },
    send(response, real) {
      if (struck.dropAnswer) {
        if (real.body instanceof Stream) (real.body as Readable).destroy();
        response.destroy();
        return { headers: {}, bytes: 0 };
      }
      if (!isDegraded(struck, call, real)) return send(response, family, call, real);
      return startDegraded(context, response, family, call, real, struck);
    },
  };
}

function subjectOf(service: Owner, call: RequestCall): FaultSubject | undefined {
  const { method, path, query, headers, route } = call;
  const isControl = service.name === CONTROL;
  if (isControl && !(route.open && route.path.startsWith(INBOX))) return undefined;
  return {
    direction: 'inbound',
    service: service.name,
    method,
    path,
    query,
    headers,
    onlyByMethod: method === 'OPTIONS' && headers['access-control-request-method'] !== undefined,
    ...(isControl && { onlyByPath: INBOX }),
  };
}

/** Returns false if the client disconnected first or the jar is closing. */
async function waited({ clock, closing }: FaultContext, { signal }: RequestCall, ms: number): Promise<boolean> {
  try {
    await clock.sleep(ms, AbortSignal.any([signal, closing]));
    return !closing.aborted;
  } catch {
    return false;
  }
}

/** A response without a body cannot be slowed down or cut off. */
const isDegraded = ({ slowBodyMs, cutBodyAfter }: AppliedFault, call: RequestCall, { body }: Answer): boolean =>
  (slowBodyMs !== undefined || cutBodyAfter !== undefined) && body !== undefined && call.method !== 'HEAD';

function startDegraded(
  { clock, closing }: FaultContext,
  response: ServerResponse,
  family: ApiFamily,
  call: RequestCall,
  { status, headers: own, body }: Answer,
  struck: AppliedFault,
): SentAnswer {
  const headers = headersOf(family, call, { status, headers: own });
  const payload = body instanceof Stream ? body : Buffer.from(payloadOf(body, headers));
  if (!(payload instanceof Stream)) headers['content-length'] = String(promisedLength(payload.length, struck));
  writeHead(response, status, headers);
  const signal = AbortSignal.any([call.signal, closing]);
  void sendDegraded(response, payload, { effect: struck, clock, signal });
  return { headers, ...(!(payload instanceof Stream) && { payload }), bytes: undefined };
}
