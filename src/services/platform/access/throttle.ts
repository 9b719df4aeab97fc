import { limitStep, sourceOf } from '../../../kernel/limits/index.ts';
import { platformError } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import { nameOf } from './standing.ts';

const NONE: readonly never[] = [];

/**
 * A step of the family: takes from the rate limit buckets of the operation, or refuses the call. Older clients retry if the message has the
 * words "RPC token bucket".
 */
export const throttle = limitStep<PlatformCall>({
  limits: ({ route }) => route.traits?.rates ?? NONE,
  scopes: {
    workspace: ({ facts }) => facts.workspace?.id ?? '',
    account: ({ facts }) => facts.account?.id ?? '',
    address: ({ remoteAddress }) => sourceOf(remoteAddress),
  },
  client: ({ facts, remoteAddress }) =>
    facts.standing
      ? { id: facts.standing.principal.id, name: nameOf(facts.standing.principal) }
      : { id: remoteAddress },
  refuse({ refusedBy, retryAfterSeconds, readings }, call) {
    const reading = readings.find(({ limit }) => limit === refusedBy);
    const limit = refusedBy?.name ?? '';
    const message = `The request exceeds the limit '${limit}' (${refusedBy?.title}; ${reading?.maximum}): RPC token bucket limit has been exceeded for ${call.operation}. Try again in ${retryAfterSeconds} s.`;
    return platformError(429, 'REQUEST_LIMIT_EXCEEDED', message, [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'REQUEST_LIMIT_EXCEEDED',
        domain: 'platform.vendor.example',
        metadata: { limit, value: String(reading?.maximum), raisable: String(refusedBy?.fixed === false) },
      },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retry_delay: `${retryAfterSeconds}s` },
    ]);
  },
});
