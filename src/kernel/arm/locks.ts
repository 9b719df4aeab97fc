import type { Filter, Query, Reader } from '../store/types.ts';
import { locks, type Subscription } from './collections.ts';
import { GATEWAY_FAILURE, gatewayErrors } from './errors.ts';
import { scopeOf } from './gateway.ts';
import { canonicalId, parseScope, pathId, resourceKey, subscriptionPath, wholeId } from './ids.ts';
import { withCasedPrefix } from './resource-view.ts';
import { type ArmCall, type ArmTraits, armFacts, armTraits } from './route.ts';

/**
 * Maximum number of segments of a scope that can be locked. Ids are far shorter, and the gateway checks every level of a scope for locks.
 */
export const MOST_SCOPE_SEGMENTS = 40;

/** Maximum number of locks named in an error. */
const MOST_NAMED = 10;

/** No segment of an id begins with `!`, and `!` sorts before all characters of ids: the locks of a scope precede those further down. */
const OWN = '/!';

/** Key prefix of all locks at a scope. */
export const locksAt = (scopeKey: string): string => scopeKey + OWN;

export const lockKey = (scopeKey: string, name: string): string => locksAt(scopeKey) + name.toLowerCase();

/** Converts a path or id to the form in which scopes of locks are stored. */
export const scopeKeyOf = (path: string, aliases: readonly string[]): string =>
  resourceKey(wholeId(pathId(path)), aliases);

/** The scopes whose locks apply at a scope: the scope itself and every scope above it, subscription first. */
export function scopesAbove(scopeKey: string): string[] {
  const segments = scopeKey.split('/').slice(1, 1 + MOST_SCOPE_SEGMENTS);
  return segments.flatMap((_, at) => (at % 2 === 1 ? [`/${segments.slice(0, at + 1).join('/')}`] : []));
}

export const atScope = (scopeKey: string): Filter => ({ op: 'in', field: 'scope', values: scopesAbove(scopeKey) });

const READ_ONLY: Filter = { op: 'eq', field: 'level', value: 'ReadOnly' };

/** Scopes at, above and below a key that have a read-only lock, with the canonical provider prefix. */
export async function readOnlyScopes(reader: Pick<Reader, 'query'>, key: string): Promise<readonly string[]> {
  const above: Query = { filter: { op: 'and', args: [atScope(key), READ_ONLY] }, limit: MOST_NAMED };
  const below: Query = { prefix: `${key}/`, filter: READ_ONLY, limit: MOST_NAMED };
  const found = [...(await reader.query(locks, above)).items, ...(await reader.query(locks, below)).items];
  return [...new Set(found.map(({ value }) => canonicalId(value.scope, [])))];
}

/**
 * The gateway step that enforces locks for all services. Nearly every write passes here, so it first checks the lock count in the
 * subscription's document, which the call has already. A write that passed this check just before a lock is created may still complete.
 */
export function checkLocks(call: ArmCall): Promise<void> | void {
  const { subscription } = armFacts(call);
  if (!subscription?.locks) return;
  const { effect, isAboutLocks, endsSubscription } = armTraits(call);
  // Locks do not protect locks; otherwise they could never be removed.
  if (effect === 'read' || isAboutLocks) return;
  if (endsSubscription) return refuseLocked(call, subscriptionPath(subscription.subscriptionId), 'delete');
  return refuseLocked(call, lockableScope(call, subscription), effect);
}

/** For an action: the resource that the action is about. */
function lockableScope(call: ArmCall, { subscriptionId }: Subscription): string {
  const path = scopeOf(call, subscriptionId);
  const { provider } = parseScope(path);
  if (armTraits(call).effect !== 'action' || !provider) return path;
  const { types, names } = provider;
  return types.length > names.length && names.length > 0 ? path.slice(0, path.lastIndexOf('/')) : path;
}

/** Throws if a lock forbids an effect at a scope of the call's subscription. For scopes that the call's path does not name. */
export async function refuseLocked(call: ArmCall, scope: string, effect: ArmTraits['effect']): Promise<void> {
  const { config, store } = call.jar;
  const key = scopeKeyOf(scope, config.namespace);
  const isDelete = effect === 'delete';
  const above = atScope(key);
  const holding: Query = { filter: isDelete ? above : { op: 'and', args: [above, READ_ONLY] }, limit: MOST_NAMED };
  const found = await store.query(locks, holding);
  // A deletion also deletes everything below.
  const below = isDelete ? await store.query(locks, { prefix: `${key}/`, limit: MOST_NAMED }) : { items: [] };
  const scopes = new Set([...found.items, ...below.items].map(({ value }) => value.scope));
  if (scopes.size === 0) return;
  const locked = [...scopes].map((each) => `'${withCasedPrefix(each, armFacts(call).prefix)}'`).join(',');
  const operation = isDelete ? 'delete' : 'write';
  throw gatewayErrors.ScopeLocked({ scope, operation, locked }, { headers: GATEWAY_FAILURE });
}
