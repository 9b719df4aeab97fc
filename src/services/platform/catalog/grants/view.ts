import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { pageOf, pageSize, wholeNumber } from '../../engine/paging.ts';
import { callerIdentity, type PlatformCall } from '../../jar.ts';
import { manages } from '../core/access.ts';
import { type Chain, fullNameOf, parentChain } from '../core/chain.ts';
import { GRANTABLE, type Privilege, wireType } from '../core/privileges.ts';
import { granteeNamed, granteeNames } from './grantees.ts';

/**
 * Selects the grants that a call may see: all of them for callers who manage the securable, otherwise those of the caller and its groups.
 */
async function shownTo(call: PlatformCall, chain: Chain): Promise<(principal: string) => boolean> {
  const standing = callerIdentity(call);
  // A caller who may see a share may see its recipients.
  const isManager = chain.target.kind === 'share' || manages(standing, chain);
  const asked = call.query.principal;
  const only =
    typeof asked === 'string' && asked !== '' ? await granteeNamed(call.jar.store, call, chain, asked) : undefined;
  return (principal) => (only === undefined || principal === only) && (isManager || standing.ids.includes(principal));
}

interface Shown {
  readonly principal: string;
  readonly privileges: readonly unknown[];
}

/** The direct grants on the securable. */
export async function directGrants(call: PlatformCall, chain: Chain): Promise<readonly Shown[]> {
  const isShown = await shownTo(call, chain);
  const grants = (chain.target.grants ?? []).filter(({ principal }) => isShown(principal));
  return named(call, chain, grants);
}

/** The effective grants on the securable, with the source of each. */
export async function effectiveGrants(call: PlatformCall, chain: Chain): Promise<readonly Shown[]> {
  const isShown = await shownTo(call, chain);
  const applicable: ReadonlySet<Privilege> = new Set(GRANTABLE[chain.target.kind]);
  const found = new Map<string, object[]>();
  for (let at: Chain | undefined = chain; at; at = at.above.length > 0 ? parentChain(at) : undefined) {
    const { target }: Chain = at;
    const source =
      at === chain ? {} : { inherited_from_type: wireType(target.kind), inherited_from_name: fullNameOf(at) };
    for (const { principal, privileges } of target.grants ?? []) {
      if (!isShown(principal)) continue;
      const held = found.get(principal) ?? [];
      for (const privilege of privileges) if (applicable.has(privilege)) held.push({ privilege, ...source });
      if (held.length > 0) found.set(principal, held);
    }
  }
  return named(
    call,
    chain,
    [...found].map(([principal, privileges]) => ({ principal, privileges })),
  );
}

/** Replaces grantee ids by names. */
async function named(call: PlatformCall, chain: Chain, shown: readonly Shown[]): Promise<readonly Shown[]> {
  const names = await granteeNames(
    call,
    chain,
    shown.map(({ principal }) => principal),
  );
  return shown
    .flatMap(({ principal: id, privileges }) => {
      const principal = names.get(id);
      return principal === undefined ? [] : [{ principal, privileges }];
    })
    .sort((one, other) => (one.principal < other.principal ? -1 : 1));
}

/** A page of assignments. Without a size, everything is one page. */
export function assignmentsPage(
  call: PlatformCall,
  shown: readonly Shown[],
  parameter: 'max_results' | 'page_size',
): JsonMembers {
  const asked = wholeNumber(call.query, parameter);
  const size = asked === undefined ? shown.length : pageSize(call.query, { usual: 1000, most: 1000 }, parameter);
  const { items, next } = pageOf(call, shown, size);
  return { privilege_assignments: items as never, ...(next !== undefined && { next_page_token: next }) };
}
