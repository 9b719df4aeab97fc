import {
  type ArmFacts,
  allowedFromAbove,
  covers,
  groupPath,
  roleAssignments,
  type Subscription,
  subscriptions,
} from '../../../kernel/arm/index.ts';
import { readCached, type Tx } from '../../../kernel/store/index.ts';
import { storageOwners } from '../collections.ts';
import { dataShareErrors } from '../errors.ts';
import type { ChildCall } from './child.ts';
import type { KindProperties } from './kinds.ts';

/**
 * Ownership of storage accounts. The jar has no storage provider to ask: an account belongs to the subscription that first names it, and
 * only callers with write access in that subscription can share from it or copy to it. Otherwise any caller who knows an account's name
 * could read another tenant's files through a share.
 */
export interface StorageUse {
  readonly account: string;
  readonly subscriptionId: string;
  readonly resourceGroup: string;
}

/** Returns undefined for kinds without a storage account. */
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

/** Rejects callers who may not use the account; runs before the transaction. Returns the use with the account's resource group. */
export async function checkStorageUse(
  call: ChildCall,
  arm: ArmFacts,
  use: StorageUse | undefined,
): Promise<StorageUse | undefined> {
  if (!use) return undefined;
  const { store, config } = call.jar;
  const { account, subscriptionId } = use;
  const known = (await store.get(storageOwners, account))?.value;
  // Checks the account's own resource group, not one in which the caller happens to have a role.
  const isKnown = known !== undefined && isSame(known.subscriptionId, subscriptionId);
  const resourceGroup = (isKnown ? known.resourceGroup : undefined) ?? use.resourceGroup;
  const owner = (await readCached(store, subscriptions, subscriptionId.toLowerCase()))?.value;
  const isOwn = owner?.tenantId === (arm.subscription as Subscription).tenantId;
  const roles = await readCached(store, roleAssignments, call.caller?.objectId.toLowerCase() ?? '');
  const held = roles?.value.assignments ?? [];
  const scope = `${groupPath(subscriptionId, resourceGroup)}/providers/Vendor.Storage/storageAccounts/${account}`;
  const mayThere = held.some(({ scope: at, role }) => role !== 'Reader' && covers(at, scope, config.namespace));
  const may = isOwn && (mayThere || (await allowedFromAbove(store, held, owner, 'write', config.namespace)));
  if (!may) throw refused(account, `the caller may not use it in the subscription '${subscriptionId}'`);
  if (known && !isKnown) throw refused(account, 'it is in another subscription');
  return { account, subscriptionId, resourceGroup };
}

/** Claims the account for the subscription, in the transaction that uses it. */
export async function takeStorage(tx: Tx, use: StorageUse | undefined): Promise<void> {
  if (!use) return;
  const known = (await tx.get(storageOwners, use.account))?.value;
  if (known && !isSame(known.subscriptionId, use.subscriptionId))
    throw refused(use.account, 'it is in another subscription');
  // Another caller claimed it first, and the caller's role in that resource group has not been checked.
  if (known?.resourceGroup !== undefined && !isSame(known.resourceGroup, use.resourceGroup))
    throw refused(use.account, `it is in the resource group '${known.resourceGroup}'`);
  if (known) return;
  await tx.lock(`${storageOwners.name}:${use.account}`);
  if (await tx.get(storageOwners, use.account)) return takeStorage(tx, use);
  const { subscriptionId, resourceGroup } = use;
  await tx.put(storageOwners, use.account, { subscriptionId, resourceGroup });
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
