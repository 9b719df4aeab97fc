import { eq, pagesOf, type Tx } from '../../../kernel/store/index.ts';
import { errors, gateway } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import { GuardRanges } from './address-guards.ts';
import { plainAddress } from './addresses.ts';
import { type IpGuard, ipAccessLists, ipGuards } from './collections.ts';

/** A step of the family, after authentication: refuses callers whose address the IP access lists do not admit. */
export async function checkAddress(call: PlatformCall): Promise<void> {
  const { account, workspace } = call.facts;
  const scope = workspace?.id ?? account?.id;
  if (scope === undefined) return;
  const address = plainAddress(call.remoteAddress);
  if (await call.jar.addressGuards.admits(scope, address)) return;
  throw gateway.blocked(call, address, workspace ? `workspace: ${workspace.id}` : `account: ${scope}`);
}

/**
 * Must be called by every transaction that changes lists of a scope, after its writes: stores the combined lists. Throws if the caller
 * would be locked out.
 */
export async function rebuildGuard(tx: Tx, call: PlatformCall, scope: string, enforced?: boolean): Promise<void> {
  const allow: string[] = [];
  const block: string[] = [];
  for await (const page of pagesOf(tx, ipAccessLists, { filter: eq('scope', scope) })) {
    for (const { value } of page) {
      if (value.enabled) (value.type === 'ALLOW' ? allow : block).push(...value.addresses);
    }
  }
  const before = (await tx.get(ipGuards, scope))?.value;
  const guard: IpGuard = { enforced: enforced ?? before?.enforced ?? false, allow, block };
  const address = plainAddress(call.remoteAddress);
  if (guard.enforced && !new GuardRanges(guard).admits(address)) {
    throw errors.INVALID_STATE({
      reason: `The change would block the caller: the IP access lists would not admit the address ${address}.`,
    });
  }
  await tx.put(ipGuards, scope, guard);
}

/** Enables or disables the enforcement of a scope's lists. */
export const enforceLists = (tx: Tx, call: PlatformCall, scope: string, enforced: boolean): Promise<void> =>
  lockLists(tx, scope).then(() => rebuildGuard(tx, call, scope, enforced));

/** Serialises changes of a scope's lists, since each of them writes the combination of all lists. */
export const lockLists = (tx: Tx, scope: string): Promise<void> => tx.lock(`platform.ip-access:${scope}`);
