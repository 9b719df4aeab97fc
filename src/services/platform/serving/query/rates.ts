import { type Decision, retryHeaders, type Use } from '../../../../kernel/limits/index.ts';
import type { Json, JsonMembers } from '../../../../kernel/values/index.ts';
import { nameOf } from '../../access/standing.ts';
import { principalsOf } from '../../accounts/principals.ts';
import { listOf, membersOf } from '../../engine/json.ts';
import { platformError } from '../../errors.ts';
import { callerIdentity, type PlatformCall } from '../../jar.ts';
import { measuredOf } from '../../limits/declared.ts';
import { SERVING_CALLS, SERVING_TOKENS, WHOLE_RATE } from '../../limits/serving-rates.ts';
import { TOO_MANY } from '../../limits/take.ts';
import type { ServingEndpoint } from '../collections.ts';

/** The rate limits of an endpoint: its own, and those of its AI gateway. */

interface OwnLimit {
  readonly key: string;
  /** The user, service principal or group that the limit applies to. Absent: every caller, individually or together as the key says. */
  readonly principal?: string;
  readonly calls?: number;
  readonly tokens?: number;
}

const asLimit = ({ key, principal, calls, tokens }: JsonMembers): OwnLimit => ({
  key: String(key ?? 'endpoint'),
  ...(principal !== undefined && { principal: String(principal) }),
  ...(calls !== undefined && { calls: Number(calls) }),
  ...(tokens !== undefined && { tokens: Number(tokens) }),
});

const limitsOf = ({ rateLimits = [], aiGateway }: ServingEndpoint): readonly OwnLimit[] =>
  [...rateLimits, ...listOf(aiGateway?.rate_limits as Json | undefined).map(membersOf)].map(asLimit);

/** The caller, in the terms of the limits. */
interface Caller {
  readonly id: string;
  readonly name: string;
  readonly isProgram: boolean;
  /** Names of groups. */
  readonly groups: ReadonlySet<string>;
}

async function callerOf(call: PlatformCall, needsGroups: boolean): Promise<Caller> {
  const { principal, groups } = callerIdentity(call);
  const found = needsGroups ? await principalsOf(call.jar.store, principal.accountId, groups) : new Map();
  return {
    id: principal.id,
    name: nameOf(principal).toLowerCase(),
    isProgram: principal.kind === 'servicePrincipal',
    groups: new Set([...found.values()].map(({ displayName = '' }) => displayName.toLowerCase())),
  };
}

/**
 * The limits that apply to one query. Limits of the endpoint always apply. Of the others only the most specific applies: that of the
 * caller, otherwise those of the caller's groups, of which one has to allow the query, otherwise that of every user. Returns alternative
 * sets of limits; the query is allowed if all limits of one set allow it.
 */
function waysFor(limits: readonly OwnLimit[], caller: Caller): readonly (readonly OwnLimit[])[] {
  const common = limits.filter(({ key }) => key === 'endpoint');
  const own = limits.filter(
    ({ key, principal }) =>
      principal?.toLowerCase() === caller.name && key === (caller.isProgram ? 'service_principal' : 'user'),
  );
  if (own.length > 0) return [[...common, ...own]];
  const ofGroups = limits.filter(
    ({ key, principal = '' }) => key === 'user_group' && caller.groups.has(principal.toLowerCase()),
  );
  const groups = [...new Set(ofGroups.map(({ principal }) => principal))];
  if (groups.length > 0)
    return groups.map((group) => [...common, ...ofGroups.filter(({ principal }) => principal === group)]);
  return [[...common, ...limits.filter(({ key, principal }) => key === 'user' && principal === undefined)]];
}

/** Cost of a use as a fraction of the whole. A limit of 0 makes the cost exceed the whole. */
const partsOf = (limit: number, count: number): number =>
  limit === 0 ? WHOLE_RATE + 1 : Math.min(WHOLE_RATE + 1, Math.floor(WHOLE_RATE / limit) * count);

function usesOf(
  { workspaceId, name }: ServingEndpoint,
  limits: readonly OwnLimit[],
  caller: Caller,
  tokens: number,
): Use[] {
  return limits.flatMap(({ key, principal, calls, tokens: most }) => {
    const whose = key === 'user' || key === 'service_principal' ? caller.id : (principal ?? '').toLowerCase();
    const scope = [workspaceId, name, key, whose];
    return [
      ...(calls === undefined ? [] : [{ limit: SERVING_CALLS, scope, cost: partsOf(calls, 1) }]),
      ...(most === undefined ? [] : [{ limit: SERVING_TOKENS, scope, cost: partsOf(most, tokens) }]),
    ];
  });
}

/** Counts a query, and throws if a rate limit is exceeded. `tokens` are those of the request. */
export async function takeRates(call: PlatformCall, endpoint: ServingEndpoint, tokens: number): Promise<void> {
  const { limits } = call.jar;
  const own = limitsOf(endpoint);
  const { principal } = callerIdentity(call);
  const client = { id: principal.id, name: nameOf(principal) };
  const measured: Use = { limit: measuredOf('serving-queries'), scope: [endpoint.workspaceId, endpoint.name] };
  const caller = await callerOf(
    call,
    own.some(({ key }) => key === 'user_group'),
  );
  let refused: Decision | undefined;
  for (const way of waysFor(own, caller)) {
    const decision = await limits.take([measured, ...usesOf(endpoint, way, caller, tokens)], client);
    if (decision.allowed) return;
    refused = decision;
  }
  throw exceeded(endpoint, refused as Decision);
}

function exceeded({ name }: ServingEndpoint, decision: Decision) {
  const { refusedBy, retryAfterSeconds, exceedsMaximum } = decision;
  const limit = refusedBy?.name ?? '';
  const wait = exceedsMaximum ? '' : ` Try again in ${retryAfterSeconds} s.`;
  const message = `The request exceeds a rate limit of the serving endpoint ${name} (${limit}).${wait}`;
  const details = [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: TOO_MANY,
      domain: 'platform.vendor.example',
      metadata: { limit, endpoint: name },
    },
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retry_delay: `${retryAfterSeconds}s` },
  ];
  return platformError(429, TOO_MANY, message, details, { headers: retryHeaders(decision) });
}
