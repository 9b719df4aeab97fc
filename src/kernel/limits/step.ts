import { isConsoleRead } from '../http/console-read.ts';
import type { ApiError } from '../http/errors.ts';
import type { HttpJar } from '../http/jar.ts';
import type { Call } from '../http/route.ts';
import type { Client } from './early-retries.ts';
import type { LimitEngine } from './engine.ts';
import type { Decision } from './rates.ts';
import type { RateLimit } from './table.ts';

/** The part of the jar that throttling needs. */
interface LimitedJar extends HttpJar {
  readonly limits: Pick<LimitEngine, 'take'>;
}

export type LimitedCall = Call<Call['params'], Call['query'], unknown, LimitedJar>;

export interface LimitStepOptions<C extends LimitedCall> {
  /** The limits that a call has to pass, all or none; return the same array for calls of the same kind. */
  limits(call: C): readonly RateLimit[];
  /** For every part in the scopes of these limits: a function that returns its value for a call. */
  readonly scopes: Readonly<Record<string, (call: C) => string>>;
  /** Default: 1. */
  cost?(call: C, limit: RateLimit): number;
  /** The client reported for early retries; by default the caller, or the address if there is no caller. */
  client?(call: C): Client;
  /** Headers with the remaining units, by limit; sent on every response, refused or not. */
  readonly remaining?: ReadonlyMap<RateLimit, string>;
  /** Returns the family's error for a refused call; `Retry-After` is added to it. */
  refuse(decision: Decision, call: C): ApiError;
}

/** A throttling step for API families: the service provides the limits and the error, this step does the rest. */
export function limitStep<C extends LimitedCall>(options: LimitStepOptions<C>): (call: C) => Promise<void> | void {
  const { scopes, cost, client = clientOf, remaining, refuse } = options;
  return function throttle(call: C): Promise<void> | void {
    const limits = options.limits(call);
    if (limits.length === 0 || isConsoleRead(call)) return;
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

/** The headers of a refusal that all APIs have in common. */
export const retryHeaders = (decision: Pick<Decision, 'retryAfterSeconds'>): Record<string, string> => ({
  'retry-after': String(decision.retryAfterSeconds),
});

function scopeOf<C extends LimitedCall>(scopes: LimitStepOptions<C>['scopes'], part: string, call: C): string {
  const find = scopes[part];
  if (find === undefined) throw new Error(`there is no function for the scope part '${part}'`);
  return find(call);
}

const clientOf = (call: LimitedCall): Client =>
  call.caller ? { id: call.caller.objectId, name: call.caller.name } : { id: call.remoteAddress };

function whenEnded({ signal }: LimitedCall, release: () => void): void {
  if (signal.aborted) release();
  else signal.addEventListener('abort', release, { once: true });
}
