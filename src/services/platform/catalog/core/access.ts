import type { Filter } from '../../../../kernel/store/index.ts';
import { type CallerIdentity, nameOf } from '../../access/standing.ts';
import { errors } from '../../errors.ts';
import { callerIdentity, type PlatformCall } from '../../jar.ts';
import { type Chain, fullNameOf, metastoreOf, parentChain } from './chain.ts';
import { ALL_SEEN_WITH, ENTERED_WITH, isGivenBy, type Privilege, SEEN_WITH, TITLES } from './privileges.ts';
import { browser, EVERYWHERE, type Securable, SYSTEM_USER } from './securables.ts';

type Asking = Pick<PlatformCall, 'facts'>;

/** Owners of the metastore; if the platform itself owns it, the administrators of the account. */
export const isMetastoreAdmin = (standing: CallerIdentity, { owner }: Pick<Securable, 'owner'>): boolean =>
  owner === SYSTEM_USER ? standing.isAccountAdmin : standing.ids.includes(owner);

const owns = ({ ids }: CallerIdentity, { owner }: Securable): boolean => ids.includes(owner);

const isGiven = ({ ids }: CallerIdentity, { grants = [] }: Securable, privilege: Privilege): boolean =>
  grants.some(({ principal, privileges }) => ids.includes(principal) && isGivenBy(privileges, privilege));

/**
 * Whether the caller has a privilege on the securable: granted on it or on an ancestor, or through ownership of one of them. The owner of
 * the metastore may manage everything, which does not include access to data.
 */
export function holds(standing: CallerIdentity, { target, above }: Chain, privilege: Privilege): boolean {
  if (target.kind === 'metastore') return isMetastoreAdmin(standing, target) || isGiven(standing, target, privilege);
  return [target, ...above.slice(0, -1)].some((each) => owns(standing, each) || isGiven(standing, each, privilege));
}

/** Owners of the securable or of an ancestor, holders of `MANAGE`, and administrators of the metastore. */
export const manages = (standing: CallerIdentity, chain: Chain): boolean =>
  isMetastoreAdmin(standing, metastoreOf(chain)) ||
  (chain.target.kind !== 'metastore' && holds(standing, chain, 'MANAGE'));

/** The outermost ancestor that the caller cannot enter, with the missing privilege. Returns undefined if there is none. */
function closed(
  standing: CallerIdentity,
  chain: Chain,
): { readonly chain: Chain; readonly needs: Privilege } | undefined {
  if (chain.above.length === 0) return undefined;
  const above = parentChain(chain);
  const needs = ENTERED_WITH[above.target.kind];
  return closed(standing, above) ?? (needs && !holds(standing, above, needs) ? { chain: above, needs } : undefined);
}

const lacks = (standing: CallerIdentity, chain: Chain, privilege: string) =>
  errors.PERMISSION_DENIED({
    reason: `User does not have ${privilege.replaceAll('_', ' ')} on ${TITLES[chain.target.kind]} '${fullNameOf(chain)}'. (user: ${nameOf(standing.principal)})`,
  });

/** Throws unless the caller can enter all ancestors and has one of these privileges on the securable. */
export function requirePrivilege(call: Asking, chain: Chain, ...privileges: readonly Privilege[]): void {
  const standing = callerIdentity(call);
  const shut = closed(standing, chain);
  if (shut) throw lacks(standing, shut.chain, shut.needs);
  if (!privileges.some((each) => holds(standing, chain, each))) throw lacks(standing, chain, privileges.join(' or '));
}

/** Throws unless the caller may change the securable, transfer its ownership, grant on it or delete it. */
export function requireManager(call: Asking, chain: Chain): void {
  const standing = callerIdentity(call);
  if (manages(standing, chain)) return;
  throw errors.PERMISSION_DENIED({
    reason: `User is not an owner of ${TITLES[chain.target.kind]} '${fullNameOf(chain)}' and does not have MANAGE on it. (user: ${nameOf(standing.principal)})`,
  });
}

/** Administrators of the metastore see everything in it, and some privileges on it show all securables of one type. */
function seesAll(standing: CallerIdentity, metastore: Securable, kind: Securable['kind']): boolean {
  const enough = ALL_SEEN_WITH[kind];
  return isMetastoreAdmin(standing, metastore) || (enough !== undefined && isGiven(standing, metastore, enough));
}

export type Sight = 'full' | 'browse' | 'none';

/** How much of a securable the caller may see. */
export function visibilityOf(standing: CallerIdentity, chain: Chain): Sight {
  const { kind } = chain.target;
  if (seesAll(standing, metastoreOf(chain), kind)) return 'full';
  const seen = [...SEEN_WITH[kind], 'MANAGE' as const].some((each) => holds(standing, chain, each));
  if (seen && !closed(standing, chain)) return 'full';
  return holds(standing, chain, 'BROWSE') ? 'browse' : 'none';
}

/** Throws unless the caller may see the securable. */
export function requireVisible(call: Asking, chain: Chain, { browse = false } = {}): Sight {
  const standing = callerIdentity(call);
  const sight = visibilityOf(standing, chain);
  if (sight === 'full' || (browse && sight === 'browse')) return sight;
  const shut = closed(standing, chain);
  if (shut) throw lacks(standing, shut.chain, shut.needs);
  throw lacks(standing, chain, SEEN_WITH[chain.target.kind][0] ?? 'MANAGE');
}

/**
 * The filter that limits a list below `above` to what the caller may see. `undefined`: no filter is needed; `nothing`: the caller cannot
 * enter the parent.
 */
export function visibilityFilter(
  call: Asking,
  above: Chain,
  type: Securable['kind'],
  { browse = false } = {},
): Filter | 'nothing' | undefined {
  const standing = callerIdentity(call);
  if (seesAll(standing, metastoreOf(above), type)) return undefined;
  const isContainer = above.target.kind !== 'metastore';
  if (isContainer) {
    if (browse && holds(standing, above, 'BROWSE')) return undefined;
    const needs = ENTERED_WITH[above.target.kind];
    if (closed(standing, above) || (needs && !holds(standing, above, needs))) return 'nothing';
    if ([...SEEN_WITH[type], 'MANAGE' as const].some((each) => holds(standing, above, each))) return undefined;
  }
  const { ids } = standing;
  return { op: 'hasAny', field: 'seenBy', values: browse ? [...ids, ...ids.map(browser)] : [...ids] };
}

/** Throws if the securable or an ancestor is isolated and not bound to the call's workspace. */
export function requireReachable(call: Asking, { target, above }: Chain, { writes = false } = {}): void {
  const workspace = call.facts.workspace?.id;
  for (const each of [target, ...above]) {
    if (!each.bindings || workspace === undefined) continue;
    const binding = each.bindings.find((one) => one.workspace === workspace);
    const what = `${TITLES[each.kind]} '${each.name}'`;
    if (!binding)
      throw errors.PERMISSION_DENIED({
        reason: `${what} is not accessible in current workspace (${workspace}): it is isolated and not bound to it.`,
      });
    if (writes && binding.readOnly)
      throw errors.PERMISSION_DENIED({
        reason: `${what} is bound to current workspace (${workspace}) as read-only.`,
      });
  }
}

export const reachableFilter = ({ facts }: Asking): Filter | undefined =>
  facts.workspace && { op: 'hasAny', field: 'workspaces', values: [EVERYWHERE, facts.workspace.id] };
