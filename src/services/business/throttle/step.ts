import type { ApiError } from '../../../kernel/http/index.ts';
import { type Client, type Decision, type Reading, retryHeaders } from '../../../kernel/limits/index.ts';
import type { Call, Jar } from '../../../kernel/service/index.ts';
import { errors } from '../errors.ts';
import { CONCURRENT, CONNECTIONS, REQUESTS } from './limits.ts';

/** The user whose requests are counted together. */
export interface Requester {
  /** Scope of the limits. */
  readonly user: string;
  readonly client: Client;
}

/** Requests on this node that are queued. */
interface Queues {
  isWaiting(user: string): boolean;
  waitForRoom(call: ThrottledCall, requester: Requester): Promise<void>;
  startNext(user: string): void;
}

interface ThrottledJar extends Jar {
  readonly requestQueues: Queues;
}

export type ThrottledCall = Call<Call['params'], Call['query'], unknown, ThrottledJar>;

/**
 * A step of the family, after authentication: limits the rate and the concurrency of a user's requests, and queues requests beyond the
 * concurrency limit. Does not await if there is capacity.
 */
export function throttle(call: ThrottledCall): Promise<void> | undefined {
  const { caller } = call;
  if (!caller) return undefined;
  const user = caller.objectId.toLowerCase();
  const requester: Requester = { user, client: { id: caller.objectId, name: caller.name } };
  const scope = [user];
  const uses = [
    { limit: REQUESTS, scope },
    { limit: CONNECTIONS, scope },
  ];
  const decision = call.jar.limits.take(uses, requester.client);
  if (decision instanceof Promise) return decision.then((late) => admit(call, requester, late));
  return admit(call, requester, decision);
}

function admit(call: ThrottledCall, requester: Requester, decision: Decision): Promise<void> | undefined {
  if (!decision.allowed) throw tooMany(decision);
  if (decision.release) whenEnded(call, decision.release);
  // Waiting requests come first.
  const { requestQueues } = call.jar;
  if (requestQueues.isWaiting(requester.user)) return requestQueues.waitForRoom(call, requester);
  const room = takeRoom(call.jar, requester.user);
  if (room instanceof Promise) return room.then((late) => enter(call, requester, late));
  return enter(call, requester, room);
}

function enter(call: ThrottledCall, requester: Requester, decision: Decision): Promise<void> | undefined {
  if (!decision.allowed) return call.jar.requestQueues.waitForRoom(call, requester);
  begin(call, requester.user, decision);
  return undefined;
}

export const takeRoom = ({ limits }: Jar, user: string): Decision | Promise<Decision> =>
  limits.take([{ limit: CONCURRENT, scope: [user] }]);

/** The request runs from here on; when its answer has been sent, the next waiting request is started. */
export function begin(call: ThrottledCall, user: string, { release }: Decision): void {
  whenEnded(call, () => {
    release?.();
    call.jar.requestQueues.startNext(user);
  });
}

function whenEnded({ signal }: ThrottledCall, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
}

/** 429, with the numbers in the real service's wording. */
export function tooMany(decision: Decision): ApiError {
  const { refusedBy, readings, retryAfterSeconds: seconds } = decision;
  const { limit, maximum, remaining } = readings.find((each) => each.limit === refusedBy) as Reading;
  const actual = maximum - remaining + 1;
  const reason = `Too many requests reached. Actual (${actual}). Maximum (${maximum}). The limit is '${limit.name}'; try again in ${seconds} seconds.`;
  return errors.Application_TooManyRequests({ reason }, { headers: retryHeaders(decision) });
}
