import { isKnownScope, scopesBeyond } from '../access/scopes.ts';
import type { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';

const MOST_SCOPES = 100;

/**
 * The scopes that a body requests; undefined means all. An empty list counts as missing, as in every message of the API. A caller with a
 * scoped credential can pass on only its own scopes, and passes on all of them if the body names none.
 */
export function readScopes(call: Pick<PlatformCall, 'facts'>, sent: Sent): readonly string[] | undefined {
  const asked = [...new Set(sent.texts('scopes') ?? [])];
  if (asked.length > MOST_SCOPES)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `scopes has at most ${MOST_SCOPES} entries.` });
  const unknown = asked.find((scope) => !isKnownScope(scope));
  if (unknown !== undefined)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `'${unknown.slice(0, 100)}' in 'scopes' is not a scope.` });
  const { scopes: held } = call.facts;
  if (asked.length === 0) return held;
  const beyond = scopesBeyond(held, asked);
  if (beyond.length > 0)
    throw errors.PERMISSION_DENIED({
      reason: `The credential of the caller does not have the scopes ${beyond.join(', ')} and cannot give them.`,
    });
  return asked;
}
