import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { StoreError, type StoreErrorCode } from '../store/errors.ts';
import type { RequestOwner } from '../store/request-owners.ts';
import { processTime } from '../time/timers.ts';
import { readBody } from './body.ts';
import { originForm, RequestCall } from './call.ts';
import { codeOf } from './code-of.ts';
import { preflightHeaders } from './cors.ts';
import { ApiError, NothingServed, Unavailable } from './errors.ts';
import type { ApiFamily, KernelMistake } from './family.ts';
import type { HostNameTable } from './host-names.ts';
import type { ApplyFault, FaultOnRequest } from './interference.ts';
import type { HttpJar } from './jar.ts';
import type { Owner } from './owner.ts';
import { type ParserError, refuseUnreadable } from './parser-errors.ts';
import type { Suggestion } from './path-guide.ts';
import { isForReaders, READS } from './reading.ts';
import { expectsOtherwise, receiveBody } from './receive-body.ts';
import { refusalOfHead } from './request-head.ts';
import type { Answer, Method, Route } from './route.ts';
import type { Match, Router } from './router.ts';
import { type SentAnswer, send } from './send.ts';
import { unserved } from './unserved.ts';
import { checkBody, readQuery } from './validate.ts';

export interface ServerOptions {
  readonly jar: HttpJar;
  readonly router: Router<Owner>;
  /** Host names of services that serve their own hosts. */
  readonly hostNames: HostNameTable;
  /** Owner whose error format is used for requests that cannot be parsed. */
  readonly fallback: Owner;
  /** Owner whose error format is used for paths outside all mounts and not similar to any route. */
  readonly nobody: Owner;
  /** Finds the route most similar to a path without one. */
  readonly suggest: (method: Method, path: string, owner: Owner | undefined) => Promise<Suggestion<Owner> | undefined>;
  /** Opens the services that a path may belong to; a request waits for this before routing. */
  readonly openFor: (path: string) => Promise<unknown> | undefined;
  readonly interfere: ApplyFault;
  /** Runs an action for a client, so that the store knows who waits for it; undefined if requests never wait for the store. */
  readonly onBehalfOf?: (<R>(asker: RequestOwner, action: () => R) => R) | undefined;
  /**
   * Called for every finished call before its response is sent; for logs, metrics and tests. The returned function is called when the
   * response has been sent.
   */
  readonly observe: (finished: Finished) => ((sent: SentAnswer) => void) | undefined;
  /** Called for every call whose connection a fault rule closed without a response. */
  readonly dropped: (dropped: Dropped) => void;
}

export interface JarServer {
  /** Handles the requests of all ports, including those with an `Expect` header. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** Handles requests that could not be parsed. */
  readonly refuse: (error: ParserError, socket: Duplex) => void;
}

export interface Finished {
  readonly call: RequestCall;
  readonly service: string;
  readonly answer: Answer;
  /** The error behind the response, if any. */
  readonly error: unknown;
  /** The fault rule that affected the call, if any; the response may then be the rule's. */
  readonly fault?: string;
  readonly milliseconds: number;
}

export type Dropped = Pick<Finished, 'call' | 'service' | 'milliseconds'> & { readonly fault: string };

/** Placeholder route for calls without one, so that they are logged, counted and rendered like others. */
const UNMATCHED: Route = {
  method: 'GET',
  path: '',
  operation: 'unmatched',
  summary: '',
  handle: () => {
    throw new Error('an unmatched call has no handler');
  },
};

/** The entry point for requests to all services: finds the route, authenticates the caller, and only then reads the body. */
export function createServer(options: ServerOptions): JarServer {
  const { jar, router, hostNames, fallback, nobody, suggest, openFor, interfere, onBehalfOf, observe, dropped } =
    options;
  return {
    handle(request, response) {
      const elsewhere = hostNames.find(request);
      if (elsewhere) {
        elsewhere.names.request(request, response, elsewhere.host);
        return;
      }
      if (jar.closing.aborted) response.shouldKeepAlive = false;
      const url = originForm(request.url ?? '/');
      const question = url.indexOf('?');
      const path = question < 0 ? url : url.slice(0, question);
      // The first request for a service waits until the service is open, because its routes are unknown before.
      const opening = openFor(path);
      if (!opening) serve(request, response, path, undefined);
      else {
        opening.then(
          () => serve(request, response, path, undefined),
          (error) => serve(request, response, path, error),
        );
      }
    },
    refuse: (error, socket) => refuseUnreadable(error, socket, { router, fallback, unmatched: UNMATCHED, finished }),
  };

  function finished(call: RequestCall, { name: service }: Owner, answer: Answer, error: unknown): void {
    observe({ call, service, answer, error, milliseconds: 0 });
  }

  function serve(request: IncomingMessage, response: ServerResponse, path: string, notOpened: unknown): void {
    dispatch(request, response, path, notOpened).catch((error) => {
      jar.log.error({ err: error }, 'a request could not be rejected');
      // Of a request that has lost its socket, only the response can still close the connection.
      response.destroy();
      request.destroy();
    });
  }

  async function dispatch(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    notOpened: unknown,
  ): Promise<void> {
    const began = processTime();
    const match = router.match(request.method as Method, path);
    const isUnknown = match.kind === 'notFound' && notOpened === undefined;
    const suggestion = isUnknown ? await suggest(request.method as Method, path, match.owner) : undefined;
    const owner = match.owner ?? suggestion?.owner ?? (isUnknown ? nobody : fallback);
    const { family } = owner;
    const route = match.kind === 'route' ? match.route : UNMATCHED;
    const call = new RequestCall(owner.jar, request, response, route, match.kind === 'route' ? match.params : {});
    let fault: FaultOnRequest | undefined;
    let answer: Answer;
    let error: unknown;
    // Reads are not tracked: a read for a client that has left does no harm, and tracking would slow a small read by a tenth.
    const client = onBehalfOf && !READS.has(call.method) ? new WaitingClient(request) : undefined;
    const handled = (): Promise<Answer> => run(owner, match, suggestion, call, request, response);
    try {
      const pending = interfere(owner, call);
      if (pending) fault = await pending;
      if (fault?.dropped) {
        response.destroy();
        dropped({ call, service: owner.name, fault: fault.rule, milliseconds: processTime() - began });
        return;
      }
      if (notOpened !== undefined && !fault?.answer) throw notOpened;
      answer =
        fault?.answer ??
        (match.kind === 'route' ? undefined : preflight(family, call)) ??
        (await (client && onBehalfOf ? onBehalfOf(client, handled) : handled()));
    } catch (thrown) {
      error = client?.hasCommitted ? afterCommit(thrown) : thrown;
      if (thrown instanceof NothingServed)
        error = await unserved(owner, { kind: 'notFound', owner }, await suggest(call.method, path, owner), call);
      answer = rendered(family, error, call);
    }
    client?.served();
    if (family.finished && fault?.answer === undefined) {
      try {
        const pending = family.finished(call, answer, error === undefined ? undefined : asApiError(error, family));
        if (pending) await pending;
      } catch (thrown) {
        // The first error is kept: an uncertain commit must not be reported as "nothing was changed".
        if (error !== undefined) jar.log.warn({ err: thrown }, 'recording a failed call failed as well');
        else {
          error = client?.hasCommitted ? afterCommit(thrown) : thrown;
          answer = rendered(family, error, call);
        }
      }
    }
    if (fault) answer = fault.mark(answer);
    const milliseconds = processTime() - began;
    const noted = observe({ call, service: owner.name, answer, error, fault: fault?.rule, milliseconds });
    const sent = fault ? fault.send(response, answer) : send(response, family, call, answer);
    noted?.(sent);
  }
}

/** Headers of an error (`Retry-After`, `Allow`) are always sent, whatever the family renders. */
function rendered(family: ApiFamily, thrown: unknown, call: RequestCall): Answer {
  const error = asApiError(thrown, family);
  const answer = family.renderError(error, call);
  return { ...answer, headers: { ...error.headers, ...answer.headers } };
}

async function run(
  owner: Owner,
  match: Match<Owner>,
  suggestion: Suggestion<Owner> | undefined,
  call: RequestCall,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Answer> {
  const { family, steps } = owner;
  const unfit = refusalOfHead(request, family);
  if (unfit) throw unfit;
  if (expectsOtherwise(request)) throw expectationFailed(family);
  if (match.kind !== 'route') throw await unserved(owner, match, suggestion, call);
  if (match.route.isSocket) throw upgradeRequired(family);
  for (const step of family.steps) {
    const pending = step(call);
    if (pending) await pending;
  }
  for (const step of steps) {
    const pending = step(call);
    if (pending) await pending;
  }
  const { route } = match;
  if (route.query) call.query = await readQuery(route, family, call.query);
  const admission = route.admit?.(call);
  if (admission) await admission;
  if (call.caller?.readOnly && !isForReaders(call.method, route)) throw readOnly();
  const { bodyMemory, strangerMemory } = call.jar;
  const memory = route.open && !route.admit ? strangerMemory : bodyMemory;
  const received = receiveBody(request, response, route, family, memory);
  if (received) {
    const bytes = await received;
    call.received = Buffer.isBuffer(bytes) ? bytes : 'stream';
    const body = readBody(route, family, bytes, request.headers);
    call.body = family.readable ? family.readable(call, body) : body;
  }
  if (route.body) await checkBody(route, family, call.body);
  if (request.socket.destroyed) throw clientLeft(family);
  return route.handle(call);
}

/** The code is the same in every API, because no real service has such tokens. */
const readOnly = (): ApiError =>
  new ApiError(
    403,
    'ReadOnlyToken',
    'This token may only read, and no secrets: it was issued to a person who may look, not change.',
  );

/**
 * A client that may disconnect while its request waits or runs. After the first commit for it, the handler continues even if the client has
 * left: a handler with several transactions must not stop between two of them. Work that outlives the request is no longer on the client's
 * behalf.
 */
class WaitingClient implements RequestOwner {
  readonly #socket: Socket;
  #isBound = true;
  #hasCommitted = false;

  constructor({ socket }: IncomingMessage) {
    // Kept here, because a request whose body was not read completely loses its socket.
    this.#socket = socket;
  }

  get hasCommitted(): boolean {
    return this.#hasCommitted;
  }

  get gone(): boolean {
    return this.#isBound && this.#socket.destroyed;
  }

  committed(): void {
    this.#isBound = false;
    this.#hasCommitted = true;
  }

  served(): void {
    this.#isBound = false;
  }
}

function preflight(family: ApiFamily, call: RequestCall): Answer | undefined {
  if (!family.cors || call.method !== 'OPTIONS') return undefined;
  const headers = preflightHeaders(call);
  return headers && { status: 204, headers };
}

/** SQLite error code for a full disk. */
const SQLITE_FULL = 13;

/** Error code when reading a body as a stream and the client has disconnected. */
const CLIENT_LEFT = 'ECONNRESET';

/** Messages for calls that fail because of the database. */
const OUTAGES: Readonly<Partial<Record<StoreErrorCode, string>>> = {
  UNREACHABLE: 'The database is not responding; nothing was changed. Try again.',
  UNCERTAIN: 'The database stopped answering while it stored the change, which may or may not have been made.',
  BUSY: 'The database is overloaded; nothing was changed. Try again.',
  READ_ONLY: 'The database is currently read-only; nothing was changed. Try again.',
  CONFLICT: 'Too many concurrent requests change the same data; nothing was changed. Try again.',
};
/** In seconds; the database is checked several times a second. */
const RETRY_AFTER = '1';
/** Status for a client that disconnected before its response; only for logs and metrics. */
const CLIENT_CLOSED_REQUEST = 499;

/** After an earlier commit of the same request, "nothing was changed" would be wrong. */
function afterCommit(thrown: unknown): unknown {
  if (!(thrown instanceof StoreError) || OUTAGES[thrown.code] === undefined) return thrown;
  return new StoreError('UNCERTAIN', thrown.message, { cause: thrown });
}

export function asApiError(thrown: unknown, family: ApiFamily): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof StoreError && thrown.code === 'PRECONDITION_FAILED') {
    return mistake(
      family,
      412,
      'preconditionFailed',
      'The resource was changed by another request, or the condition does not hold.',
    );
  }
  if (thrown instanceof StoreError && thrown.code === 'BAD_QUERY') {
    return mistake(family, 400, 'invalidQuery', `The list query is not valid: ${thrown.message}.`);
  }
  if (thrown instanceof StoreError && thrown.code === 'ABANDONED') return clientLeft(family);
  const outage = thrown instanceof Unavailable ? thrown.message : thrown instanceof StoreError && OUTAGES[thrown.code];
  if (outage) {
    const headers = { 'retry-after': RETRY_AFTER };
    return new ApiError(503, family.codes.unavailable, outage, { headers, cause: thrown });
  }
  if ((thrown as { errcode?: number } | null)?.errcode === SQLITE_FULL) {
    return mistake(family, 503, 'unavailable', 'The disk of the jar is full; nothing was changed.');
  }
  if ((thrown as { code?: string } | null)?.code === CLIENT_LEFT) {
    return mistake(family, 400, 'malformedJson', 'The client disconnected before its request was complete.');
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
  new ApiError(CLIENT_CLOSED_REQUEST, family.codes.unavailable, 'The client disconnected before its request was done.');

/** RFC 9110, 15.5.22. */
const upgradeRequired = (family: ApiFamily): ApiError =>
  new ApiError(426, family.codes.invalidQuery, 'This path is a WebSocket; request it with an upgrade.', {
    headers: { upgrade: 'websocket', connection: 'Upgrade' },
  });

/** RFC 9110, 10.1.1. */
const expectationFailed = (family: ApiFamily): ApiError =>
  new ApiError(417, codeOf(family, 417), "The header 'Expect' supports only '100-continue'.");

const mistake = (family: ApiFamily, status: number, code: KernelMistake, message: string): ApiError =>
  new ApiError(status, family.codes[code], message);
