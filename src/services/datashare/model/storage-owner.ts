import {
  type ArmFacts,
  allowedFromAbove,
  covers,
  groupPath,
  roleAssignments,
  type Subscription,
  subscriptions,
} from '../../../kernel/arm/index.ts';
import { readThrough, type Tx } from '../../../kernel/store/index.ts';
import { storageOwners } from '../collections.ts';
import { dataShareErrors } from '../errors.ts';
import type { ChildCall } from './child.ts';
import type { KindProperties } from './kinds.ts';

/**
 * Whose storage accounts are. The jar has no storage provider that could say so: an account belongs to the subscription that names it
 * first, and only who may write in that subscription can share from it or copy to it. Without this, whoever knows the name of an account
 * could read another tenant's files by a share of their own.
 */
export interface StorageUse {
  readonly account: string;
  readonly subscriptionId: string;
  readonly resourceGroup: string;
}

/** Undefined for kinds without a storage account. */
export function useOf({ storageAccountName, subscriptionId, resourceGroup }: KindProperties): StorageUse | undefined {
  if (typeof storageAccountName !== 'string') return undefined;
  return {
    account: storageAccountName,
    subscriptionId: String(subscriptionId),
    resourceGroup: String(resourceGroup),
  };
}

const TARGET = 'properties.storageAccountName';
const refused = (account: string, reason: string): Error =>
  dataShareErrors.InvalidStorageAccount({ account, reason }, { target: TARGET });

/** Whether the caller may use the account; before the transaction. */
export async function checkStorageUse(call: ChildCall, arm: ArmFacts, use: StorageUse | undefined): Promise<void> {
  if (!use) return;
  const { store, config } = call.jar;
  const { account, subscriptionId, resourceGroup } = use;
  const owner = (await readThrough(store, subscriptions, subscriptionId.toLowerCase()))?.value;
  const isOwn = owner?.tenantId === (arm.subscription as Subscription).tenantId;
  const roles = await readThrough(store, roleAssignments, call.caller?.objectId.toLowerCase() ?? '');
  const held = roles?.value.assignments ?? [];
  const scope = `${groupPath(subscriptionId, resourceGroup)}/providers/Vendor.Storage/storageAccounts/${account}`;
  const mayThere = held.some(({ scope: at, role }) => role !== 'Reader' && covers(at, scope, config.namespace));
  const may = isOwn && (mayThere || (await allowedFromAbove(store, held, owner, 'write', config.namespace)));
  if (!may) throw refused(account, `the caller may not use it in the subscription '${subscriptionId}'`);
  const known = (await store.get(storageOwners, account))?.value;
  if (known && !isSame(known.subscriptionId, subscriptionId)) throw refused(account, 'it is in another subscription');
}

/** Makes it the subscription's, in the transaction that uses it. */
export async function takeStorage(tx: Tx, use: StorageUse | undefined): Promise<void> {
  if (!use) return;
  const known = (await tx.get(storageOwners, use.account))?.value;
  if (known && !isSame(known.subscriptionId, use.subscriptionId))
    throw refused(use.account, 'it is in another subscription');
  if (known) return;
  await tx.lock(`${storageOwners.name}:${use.account}`);
  if (await tx.get(storageOwners, use.account)) return takeStorage(tx, use);
  await tx.put(storageOwners, use.account, { subscriptionId: use.subscriptionId });
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
