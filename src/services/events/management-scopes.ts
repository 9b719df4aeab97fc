import {
  groupsUpFrom,
  type ManagementRecord,
  managementGroupIn,
  managementGroupPath,
  subscriptions,
} from '../../kernel/arm/index.ts';
import type { Collection, Tx } from '../../kernel/store/index.ts';
import { scopeKey } from './collections.ts';

/** Scopes for which a change of the management API is an event. */

/** A scope that can have event subscriptions, with its key in the store. */
export interface EventScope {
  readonly id: string;
  readonly key: string;
}

/** Scopes of a change, from the widest to the changed resource; empty if no scope can have subscriptions. */
export async function scopesOfChange(tx: Tx, record: ManagementRecord, path: string): Promise<EventScope[]> {
  const own = scopesOf(path);
  const [widest] = own;
  if (widest === undefined) return [];
  const { tenantId } = record;
  if (managementGroupIn(widest, []) === undefined)
    return [...(await groupsAboveSubscription(tx, widest)), ...own.map((id) => ({ id, key: scopeKey(id) }))];
  const above = (record.managementGroups ?? []).toReversed().map(managementGroupPath);
  return [...above, ...own].map((id) => ({ id, key: scopeKey(id, tenantId) }));
}

/** The management groups above a subscription, from the root down. */
async function groupsAboveSubscription(tx: Tx, path: string): Promise<EventScope[]> {
  const read = <T>(collection: Collection<T>, key: string) => tx.get(collection, key, 'none');
  const subscription = (await read(subscriptions, path.split('/')[2]?.toLowerCase() ?? ''))?.value;
  if (!subscription) return [];
  const { tenantId, managementGroup } = subscription;
  const chain = managementGroup === undefined ? [] : await groupsUpFrom(read, tenantId, managementGroup);
  const names = [tenantId, ...(chain ?? []).map(({ name }) => name).toReversed()];
  return names.map(managementGroupPath).map((id) => ({ id, key: scopeKey(id, tenantId) }));
}

/** `/providers/Vendor.Management/managementGroups/{name}` */
const GROUP_SEGMENTS = 4;

/**
 * From the widest scope to the resource itself: subscription or management group, resource group, parent resources. The name of an action
 * after the resource is left out.
 */
export function scopesOf(path: string): string[] {
  const segments = path.split('/').filter(Boolean);
  const inGroup = managementGroupIn(`/${segments.slice(0, GROUP_SEGMENTS).join('/')}`, []) !== undefined;
  if (!inGroup && (segments[0]?.toLowerCase() !== 'subscriptions' || segments[1] === undefined)) return [];
  let at = inGroup ? GROUP_SEGMENTS : 2;
  const scopes = [`/${segments.slice(0, at).join('/')}`];
  if (segments[at]?.toLowerCase() === 'resourcegroups' && segments[at + 1] !== undefined) {
    at += 2;
    scopes.push(`/${segments.slice(0, at).join('/')}`);
  }
  while (at < segments.length) {
    if (segments[at]?.toLowerCase() === 'providers') at += 2;
    if (segments[at + 1] === undefined) break;
    at += 2;
    scopes.push(`/${segments.slice(0, at).join('/')}`);
  }
  return scopes;
}
