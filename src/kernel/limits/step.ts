import type { ApiError } from '../http/errors.ts';
import type { HttpJar } from '../http/jar.ts';
import type { Call } from '../http/route.ts';
import type { Client } from './early-retries.ts';
import type { LimitEngine } from './engine.ts';
import type { Decision } from './rates.ts';
import type { RateLimit } from './table.ts';

/** What throttling needs of the jar. */
interface LimitedJar extends HttpJar {
  readonly limits: Pick<LimitEngine, 'take'>;
}

export type LimitedCall = Call<Call['params'], Call['query'], unknown, LimitedJar>;

export interface LimitStepOptions<C extends LimitedCall> {
  /** The rows that a call has to pass, all of them or none; the same array for the same kind of call. */
  limits(call: C): readonly RateLimit[];
  /** For every part that a scope of these rows names: what it is for a call. */
  readonly scopes: Readonly<Record<string, (call: C) => string>>;
  /** 1 unless given. */
  cost?(call: C, limit: RateLimit): number;
  /** Who is named when it comes back too early: the caller, or else the address, unless given. */
  client?(call: C): Client;
  /** The header that tells how many remain, for the rows that have one; on every answer, refused or not. */
  readonly remaining?: ReadonlyMap<RateLimit, string>;
  /** The family's error for a refused call; `Retry-After` is added to it. */
  refuse(decision: Decision, call: C): ApiError;
}

/** A step of a family that throttles: a service says which rows apply and how its error looks, the rest is done here. */
export function limitStep<C extends LimitedCall>(options: LimitStepOptions<C>): (call: C) => Promise<void> | void {
  const { scopes, cost, client = clientOf, remaining, refuse } = options;
  return function throttle(call: C): Promise<void> | void {
    const limits = options.limits(call);
    if (limits.length === 0) return;
    const uses = limits.map((limit) => ({
      limit,
      scope: limit.scope.map((part) => scopeOf(scopes, part, call)),
      cost: cost === undefined ? 1 : cost(call, limit),
    }));
    const decision = call.jar.limits.take(uses, client(call));
    if (decision instanceof Promise) return decision.then(conclude);
    conclude(decision);

    function conclude(decided: Decision): void {
      if (remaining !== undefined) {
        for (const reading of decided.readings) {
          const header = remaining.get(reading.limit);
          if (header !== undefined) call.responseHeaders[header] = String(reading.remaining);
        }
      }
      if (decided.release !== undefined) whenEnded(call, decided.release);
      if (decided.allowed) return;
      const error = refuse(decided, call);
      Object.assign(error.headers, retryHeaders(decided));
      throw error;
    }
  };
}

/** What a refusal tells a client in the headers of every API. */
export const retryHeaders = (decision: Pick<Decision, 'retryAfterSeconds'>): Record<string, string> => ({
  'retry-after': String(decision.retryAfterSeconds),
});

function scopeOf<C extends LimitedCall>(scopes: LimitStepOptions<C>['scopes'], part: string, call: C): string {
  const find = scopes[part];
  if (find === undefined) throw new Error(`nothing says what the '${part}' of a call is`);
  return find(call);
}

const clientOf = (call: LimitedCall): Client =>
  call.caller ? { id: call.caller.objectId, name: call.caller.name } : { id: call.remoteAddress };

function whenEnded({ signal }: LimitedCall, release: () => void): void {
  if (signal.aborted) release();
  else signal.addEventListener('abort', release, { once: true });
}
