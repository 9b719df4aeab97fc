import { type Readable, Stream } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { RequestCall } from '../http/call.ts';
import { ApiError } from '../http/errors.ts';
import type { ApiFamily } from '../http/family.ts';
import type { Interference } from '../http/interference.ts';
import type { Owner } from '../http/owner.ts';
import type { Answer } from '../http/route.ts';
import { headersOf, payloadOf, send, writeHead } from '../http/send.ts';
import { answerOf } from './answer.ts';
import type { Struck } from './index.ts';
import { promisedLength, spoil } from './spoil.ts';
import type { FaultSubject } from './subject.ts';

/** The control API is how rules are removed, so no rule may keep anybody from it; its inboxes are receivers and may fail. */
const CONTROL = 'control';
const INBOX = '/_jar/inbox/';

/** Looks whether a rule strikes this request; nothing to wait for where none is about it. */
export function interfere(service: Owner, call: RequestCall): Promise<Interference | undefined> | undefined {
  const subject = subjectOf(service, call);
  return subject && call.jar.faults.concerns(subject) ? meet(subject, service.family, call) : undefined;
}

async function meet(subject: FaultSubject, family: ApiFamily, call: RequestCall): Promise<Interference | undefined> {
  const struck = await call.jar.faults.strike(subject);
  if (!struck) return undefined;
  const isStillThere = struck.latencyMs === undefined || (await waited(call, struck.latencyMs));
  const answer = isStillThere
    ? answerOf(struck, family, call)
    : family.renderError(new ApiError(503, family.codes.unavailable, 'The jar is closing.'), call);
  return {
    rule: struck.rule,
    dropped: struck.drop === true || (!isStillThere && !call.jar.closing.aborted),
    answer,
    mark(real) {
      const added = answer === undefined ? struck.headers : undefined;
      return { ...real, headers: { ...real.headers, ...added, 'x-cloudjar-fault': struck.rule } };
    },
    send(reply, real) {
      if (struck.dropAnswer) {
        if (real.body instanceof Stream) (real.body as Readable).destroy();
        reply.hijack().raw.destroy();
      } else if (isSpoilt(struck, call, real)) sendSpoilt(reply, family, call, real, struck);
      else send(reply, family, call, real);
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

/** False when the client went away first, or the jar closes. */
async function waited({ jar, signal }: RequestCall, ms: number): Promise<boolean> {
  try {
    await jar.clock.sleep(ms, AbortSignal.any([signal, jar.closing]));
    return !jar.closing.aborted;
  } catch {
    return false;
  }
}

/** Where there is no body there is nothing to slow down or to cut. */
const isSpoilt = ({ slowBodyMs, cutBodyAfter }: Struck, call: RequestCall, { body }: Answer): boolean =>
  (slowBodyMs !== undefined || cutBodyAfter !== undefined) && body !== undefined && call.method !== 'HEAD';

function sendSpoilt(
  reply: FastifyReply,
  family: ApiFamily,
  call: RequestCall,
  { status, headers: own, body }: Answer,
  struck: Struck,
): void {
  const headers = headersOf(family, call, { status, headers: own });
  const payload = body instanceof Stream ? body : Buffer.from(payloadOf(body, headers));
  if (!(payload instanceof Stream)) headers['content-length'] = String(promisedLength(payload.length, struck));
  reply.hijack();
  writeHead(reply, status, headers);
  const signal = AbortSignal.any([call.signal, call.jar.closing]);
  void spoil(reply.raw, payload, { effect: struck, clock: call.jar.clock, signal });
}
