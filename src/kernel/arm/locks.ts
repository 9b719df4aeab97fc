import type { Filter, Query, Reader } from '../store/types.ts';
import { locks, type Subscription } from './collections.ts';
import { GATEWAY_FAILURE, gatewayErrors } from './errors.ts';
import { scopeOf } from './gateway.ts';
import { canonicalId, parseScope, pathId, resourceKey, subscriptionPath, wholeId } from './ids.ts';
import { withCasedPrefix } from './resource-view.ts';
import { type ArmCall, type ArmTraits, armFacts, armTraits } from './route.ts';

/** Segments of the longest scope that can be locked: ids are far shorter, and the gateway looks for a lock at each of its parts. */
export const MOST_SCOPE_SEGMENTS = 40;

/** Refusals name so many of the locks that cause them. */
const MOST_NAMED = 10;

/** No segment of an id begins with this sign, and those below a scope come after it: the locks of a scope precede the ones further down. */
const OWN = '/!';

/** The beginning of the keys of all locks at a scope; names compare without regard to case. */
export const locksAt = (scopeKey: string): string => scopeKey + OWN;

export const lockKey = (scopeKey: string, name: string): string => locksAt(scopeKey) + name.toLowerCase();

/** A path or an id, as the scope of locks is kept. */
export const scopeKeyOf = (path: string, aliases: readonly string[]): string =>
  resourceKey(wholeId(pathId(path)), aliases);

/** The scopes whose locks count at a scope: itself and everything above it, the subscription first. */
export function scopesAbove(scopeKey: string): string[] {
  const segments = scopeKey.split('/').slice(1, 1 + MOST_SCOPE_SEGMENTS);
  return segments.flatMap((_, at) => (at % 2 === 1 ? [`/${segments.slice(0, at + 1).join('/')}`] : []));
}

export const atScope = (scopeKey: string): Filter => ({ op: 'in', field: 'scope', values: scopesAbove(scopeKey) });

const READ_ONLY: Filter = { op: 'eq', field: 'level', value: 'ReadOnly' };

/** The scopes at, above and below a key at which there is a lock for reading, with the canonical provider prefix. */
export async function readOnlyScopes(reader: Pick<Reader, 'query'>, key: string): Promise<readonly string[]> {
  const above: Query = { filter: { op: 'and', args: [atScope(key), READ_ONLY] }, limit: MOST_NAMED };
  const below: Query = { prefix: `${key}/`, filter: READ_ONLY, limit: MOST_NAMED };
  const found = [...(await reader.query(locks, above)).items, ...(await reader.query(locks, below)).items];
  return [...new Set(found.map(({ value }) => canonicalId(value.scope, [])))];
}

/**
 * The step of the gateway that makes locks effective, for all services at once. Nearly every write passes here: the document of the
 * subscription, which the call has already, says whether there is any lock to look for. A write that has passed while a lock is being
 * made may still be done.
 */
export function checkLocks(call: ArmCall): Promise<void> | void {
  const { subscription } = armFacts(call);
  if (!subscription?.locks) return;
  const { effect, isAboutLocks, endsSubscription } = armTraits(call);
  // Locks can be changed below locks, or nobody could remove them.
  if (effect === 'read' || isAboutLocks) return;
  if (endsSubscription) return refuseLocked(call, subscriptionPath(subscription.subscriptionId), 'delete');
  return refuseLocked(call, lockableScope(call, subscription), effect);
}

/** The resource that an action is about, rather than the action. */
function lockableScope(call: ArmCall, { subscriptionId }: Subscription): string {
  const path = scopeOf(call, subscriptionId);
  const { provider } = parseScope(path);
  if (armTraits(call).effect !== 'action' || !provider) return path;
  const { types, names } = provider;
  return types.length > names.length && names.length > 0 ? path.slice(0, path.lastIndexOf('/')) : path;
}

/** Throws if a lock forbids an effect at a scope of the subscription of a call. For scopes that the path of the call does not name. */
export async function refuseLocked(call: ArmCall, scope: string, effect: ArmTraits['effect']): Promise<void> {
  const { config, store } = call.jar;
  const key = scopeKeyOf(scope, config.namespace);
  const isDelete = effect === 'delete';
  const above = atScope(key);
  const holding: Query = { filter: isDelete ? above : { op: 'and', args: [above, READ_ONLY] }, limit: MOST_NAMED };
  const found = await store.query(locks, holding);
  // A deletion takes what is below with it.
  const below = isDelete ? await store.query(locks, { prefix: `${key}/`, limit: MOST_NAMED }) : { items: [] };
  const scopes = new Set([...found.items, ...below.items].map(({ value }) => value.scope));
  if (scopes.size === 0) return;
  const locked = [...scopes].map((each) => `'${withCasedPrefix(each, armFacts(call).prefix)}'`).join(',');
  const operation = isDelete ? 'delete' : 'write';
  throw gatewayErrors.ScopeLocked({ scope, operation, locked }, { headers: GATEWAY_FAILURE });
}
