import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Asker } from '../store/askers.ts';
import { StoreError, type StoreErrorCode } from '../store/errors.ts';
import { processTime } from '../time/timers.ts';
import { readBody } from './body.ts';
import { originForm, RequestCall } from './call.ts';
import { preflightHeaders } from './cors.ts';
import { ApiError, Unavailable } from './errors.ts';
import type { ApiFamily, KernelMistake } from './family.ts';
import type { Interfere, Interference } from './interference.ts';
import type { HttpJar } from './jar.ts';
import { nodeHttp } from './node-http.ts';
import type { Owner } from './owner.ts';
import type { Answer, Method, Route } from './route.ts';
import type { Match, Router } from './router.ts';
import { send } from './send.ts';
import { checkBody, readQuery } from './validate.ts';

export interface ServerOptions {
  readonly jar: HttpJar;
  readonly router: Router<Owner>;
  readonly families: readonly ApiFamily[];
  /** Whose shape an unknown path outside every mount is refused in. */
  readonly fallback: Owner;
  /** What a request for this path has to wait for before its route can be looked up: the opening of a service. */
  readonly openFor: (path: string) => Promise<unknown> | undefined;
  readonly interfere: Interfere;
  /** Has the store know who waits for what a request does; absent where nobody ever waits for the store. */
  readonly onBehalfOf?: (<R>(asker: Asker, action: () => R) => R) | undefined;
  /** Told of every finished call; for logs, metrics and tests. */
  readonly observe: (finished: Finished) => void;
}

export interface JarServer {
  readonly app: FastifyInstance;
  /** Where requests of all ports come in. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
}

export interface Finished {
  readonly call: RequestCall;
  readonly service: string;
  readonly answer: Answer;
  /** The error behind the answer, if there was one. */
  readonly error: unknown;
  /** The fault rule that struck, if one did: the answer may be the rule's rather than the service's. */
  readonly fault?: string;
  readonly milliseconds: number;
}

const MATCH = Symbol('match');
const NOT_OPENED = Symbol('not opened');
/** A request with what was found out about it: its route, or why the service of its address could not be opened. */
type Incoming = IncomingMessage & { [MATCH]?: Match<Owner>; [NOT_OPENED]?: unknown };

/** After the name of a family: where requests with a streamed body come in. */
const STREAM_ENTRANCE = '/stream';

/** A stand-in for the route of a call that has none, so that such calls are logged, counted and rendered like others. */
const UNMATCHED: Route = {
  method: 'GET',
  path: '',
  operation: 'unmatched',
  summary: '',
  handle: () => {
    throw new Error('an unmatched call has no handler');
  },
};

/**
 * One Fastify app for every service. Fastify reads requests, bounds bodies and runs the connections; which route a path means is
 * decided before, by our router, and the address that Fastify sees is that of the family's single entrance.
 */
export function createServer(options: ServerOptions): JarServer {
  const { jar, router, families, fallback, openFor, interfere, onBehalfOf, observe } = options;
  const app = Fastify({
    serverFactory: (handler) => {
      const server = nodeHttp.createServer(waitForService(handler));
      server.keepAliveTimeout = KEEP_ALIVE_MS;
      server.requestTimeout = REQUEST_TIMEOUT_MS;
      return server;
    },
    // The router, the validation and the serialisation are ours; without these Fastify would load its own at start.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    rewriteUrl: (request) => {
      const url = originForm(request.url ?? '/');
      const question = url.indexOf('?');
      const match = router.match(request.method as Method, question < 0 ? url : url.slice(0, question));
      incoming(request)[MATCH] = match;
      const family = (match.owner ?? fallback).family;
      const entrance = match.kind === 'route' && match.route.accepts === 'stream' ? STREAM_ENTRANCE : '';
      return `/${family.name}${entrance}${question < 0 ? '' : url.slice(question)}`;
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    genReqId: () => '',
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  const handler = (request: FastifyRequest, reply: FastifyReply): void => serve(request, reply, undefined);
  for (const family of new Set(families)) {
    app.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url: `/${family.name}`,
      bodyLimit: family.bodyLimitBytes,
      handler,
    });
  }
  // Bodies of any size have an entrance of their own, where they are not read before the handler does.
  app.register(async (streaming) => {
    streaming.removeAllContentTypeParsers();
    streaming.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    for (const { name } of new Set(families)) {
      streaming.route({ method: ['POST', 'PUT', 'PATCH'], url: `/${name}${STREAM_ENTRANCE}`, handler });
    }
  });
  app.setErrorHandler((error, request, reply) => serve(request, reply, error));
  app.setNotFoundHandler((request, reply) => serve(request, reply, undefined));
  return { app, handle: waitForService((request, response) => app.routing(request, response)) };

  /** The first request for a service waits until the service is open: its routes are not known before. */
  function waitForService(next: RequestListener): RequestListener {
    return (request: Incoming, response) => {
      const url = originForm(request.url ?? '/');
      const question = url.indexOf('?');
      const opening = openFor(question < 0 ? url : url.slice(0, question));
      if (!opening) {
        next(request, response);
        return;
      }
      opening
        .catch((error) => {
          request[NOT_OPENED] = error;
        })
        .then(() => next(request, response));
    };
  }

  /** Gives Fastify nothing to wait for: `dispatch` answers by itself, whatever happens. */
  function serve(request: FastifyRequest, reply: FastifyReply, early: unknown): void {
    dispatch(request, reply, early).catch((error) => {
      jar.log.error({ err: error }, 'a request could not even be refused');
      request.raw.destroy();
    });
  }

  async function dispatch(request: FastifyRequest, reply: FastifyReply, early: unknown): Promise<void> {
    const began = processTime();
    const match = (request.raw as Incoming)[MATCH] ?? { kind: 'notFound', owner: undefined };
    const owner = match.owner ?? fallback;
    const { family } = owner;
    const route = match.kind === 'route' ? match.route : UNMATCHED;
    const call = new RequestCall(owner.jar, request, reply.raw, route, match.kind === 'route' ? match.params : {});
    let fault: Interference | undefined;
    let answer: Answer;
    let error: unknown;
    const client = onBehalfOf && new WaitingClient(request.raw);
    const handled = (): Promise<Answer> => run(owner, match, call, request, early);
    try {
      const pending = interfere(owner, call);
      if (pending) fault = await pending;
      if (fault?.dropped) {
        reply.hijack().raw.destroy();
        return;
      }
      const notOpened = (request.raw as Incoming)[NOT_OPENED];
      if (notOpened !== undefined && !fault?.answer) throw notOpened;
      answer =
        fault?.answer ??
        (match.kind === 'route' ? undefined : preflight(family, call)) ??
        (await (client ? onBehalfOf(client, handled) : handled()));
    } catch (thrown) {
      error = thrown;
      answer = rendered(family, thrown, call);
    }
    client?.served();
    if (family.finished && fault?.answer === undefined) {
      try {
        const pending = family.finished(call, answer, error === undefined ? undefined : asApiError(error, family));
        if (pending) await pending;
      } catch (thrown) {
        error = thrown;
        answer = rendered(family, thrown, call);
      }
    }
    if (fault) answer = fault.mark(answer);
    observe({ call, service: owner.name, answer, error, fault: fault?.rule, milliseconds: processTime() - began });
    if (fault) fault.send(reply, answer);
    else send(reply, family, call, answer);
  }
}

/** The headers of an error (`Retry-After`, `Allow`) reach the client whatever its family makes of the rest. */
function rendered(family: ApiFamily, thrown: unknown, call: RequestCall): Answer {
  const error = asApiError(thrown, family);
  const answer = family.renderError(error, call);
  return { ...answer, headers: { ...error.headers, ...answer.headers } };
}

async function run(
  { family, steps }: Owner,
  match: Match<Owner>,
  call: RequestCall,
  request: FastifyRequest,
  unreadable: unknown,
): Promise<Answer> {
  if (match.kind === 'malformed')
    throw mistake(family, 400, 'invalidQuery', 'The path is not properly percent-encoded.');
  if (match.kind !== 'route') {
    const specific = await family.unmatched?.(call);
    if (specific) throw specific;
    if (match.kind === 'notFound')
      throw mistake(family, 404, 'notFound', `Nothing is served at '${pathOf(call.url)}'.`);
    const allow = match.allow.join(', ');
    const message = `The method ${call.method} is not allowed here; this address takes ${allow}.`;
    throw new ApiError(405, family.codes.methodNotAllowed, message, { headers: { allow } });
  }
  if (match.route.isSocket) throw upgradeRequired(family);
  for (const step of family.steps) {
    const pending = step(call);
    if (pending) await pending;
  }
  for (const step of steps) {
    const pending = step(call);
    if (pending) await pending;
  }
  // After the steps, as with a body that could be read: a stranger is told that, and not how to send a body.
  if (unreadable !== undefined) throw unreadable;
  const { route } = match;
  if (route.query) call.query = await readQuery(route, family, call.query);
  if (request.body !== undefined && request.body !== null) {
    const body = readBody(route, family, request.body, request.headers);
    call.body = family.readable ? family.readable(call, body) : body;
  }
  if (route.body) await checkBody(route, family, call.body);
  if (request.raw.socket.destroyed) throw clientLeft(family);
  return route.handle(call);
}

/** A client that may go away while its request waits or runs. What outlives the request is not on its behalf any more. */
class WaitingClient implements Asker {
  readonly #request: IncomingMessage;
  #served = false;

  constructor(request: IncomingMessage) {
    this.#request = request;
  }

  get gone(): boolean {
    return !this.#served && this.#request.socket.destroyed;
  }

  served(): void {
    this.#served = true;
  }
}

function preflight(family: ApiFamily, call: RequestCall): Answer | undefined {
  if (!family.cors || call.method !== 'OPTIONS') return undefined;
  const headers = preflightHeaders(call);
  return headers && { status: 204, headers };
}

/** What SQLite says when the disk has no room left. */
const SQLITE_FULL = 13;

/** A client that takes longer than this to send a request is let go. */
const REQUEST_TIMEOUT_MS = 300_000;
/** An idle connection is kept this long for the next request of its client. */
const KEEP_ALIVE_MS = 72_000;

const FASTIFY_MISTAKES: Readonly<Record<string, readonly [number, KernelMistake, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'bodyTooLarge', 'The request body is larger than this API takes'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'unsupportedMediaType', 'The content type cannot be read.'],
  ECONNRESET: [400, 'malformedJson', 'The client went away before its request was complete.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'malformedJson', 'The body is not as long as its content-length says.'],
};

/** What clients are told where the database is why a call fails. */
const OUTAGES: Readonly<Partial<Record<StoreErrorCode, string>>> = {
  UNREACHABLE: 'The database does not answer at the moment; nothing was changed. Try again.',
  UNCERTAIN: 'The database stopped answering while it stored the change, which may or may not have been made.',
  BUSY: 'The database has too much to do at the moment; nothing was changed. Try again.',
  CONFLICT: 'Too many others change the same thing at the moment; nothing was changed. Try again.',
};
/** Seconds. Whether the database is back is found out several times a second. */
const RETRY_AFTER = '1';
/** Of a request whose client left before its answer: for the log and the metrics, nobody reads it. */
const CLIENT_CLOSED_REQUEST = 499;

export function asApiError(thrown: unknown, family: ApiFamily): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof StoreError && thrown.code === 'PRECONDITION_FAILED') {
    return mistake(
      family,
      412,
      'preconditionFailed',
      'The resource was changed by somebody else, or the condition does not hold.',
    );
  }
  if (thrown instanceof StoreError && thrown.code === 'BAD_QUERY') {
    return mistake(family, 400, 'invalidQuery', `The list cannot be asked for like this: ${thrown.message}.`);
  }
  if (thrown instanceof StoreError && thrown.code === 'ABANDONED') return clientLeft(family);
  const outage = thrown instanceof Unavailable ? thrown.message : thrown instanceof StoreError && OUTAGES[thrown.code];
  if (outage) {
    return new ApiError(503, family.codes.unavailable, outage, {
      headers: { 'retry-after': RETRY_AFTER },
      cause: thrown,
    });
  }
  if ((thrown as { errcode?: number } | null)?.errcode === SQLITE_FULL) {
    return mistake(family, 503, 'unavailable', 'The disk of the jar is full; nothing was changed.');
  }
  const known = FASTIFY_MISTAKES[(thrown as { code?: string } | null)?.code ?? ''];
  if (known) {
    const [status, code, message] = known;
    const limit = code === 'bodyTooLarge' ? ` (${family.bodyLimitBytes} bytes at most).` : '';
    return mistake(family, status, code, message + limit);
  }
  return new ApiError(
    500,
    family.codes.internal,
    'An unexpected error happened; the log has its details under the request id.',
    {
      cause: thrown,
    },
  );
}

const clientLeft = (family: ApiFamily): ApiError =>
  new ApiError(CLIENT_CLOSED_REQUEST, family.codes.unavailable, 'The client left before its request was done.');

/** RFC 9110, 15.5.22. */
const upgradeRequired = (family: ApiFamily): ApiError =>
  new ApiError(426, family.codes.invalidQuery, 'This address is a WebSocket; ask for it with the upgrade to one.', {
    headers: { upgrade: 'websocket', connection: 'Upgrade' },
  });

const mistake = (family: ApiFamily, status: number, code: KernelMistake, message: string): ApiError =>
  new ApiError(status, family.codes[code], message);

/** Fastify types the request by the kinds of servers that it could have; ours is always this. */
const incoming = (request: object): Incoming => request as Incoming;

const pathOf = (url: string): string => (url.split('?', 1)[0] as string).slice(0, 300);

function noCompiler(): never {
  throw new Error('routes declare their schemas to the kernel, not to Fastify');
}
