import {
  endOperation,
  forgetLocks,
  type Origin,
  progressOperation,
  type Resource,
  type ResourceGroup,
  recordOutcome,
  releaseGroupQuota,
  releaseResourceQuota,
  resourceGroups,
  resources,
} from '../../kernel/arm/index.ts';
import { ApiError } from '../../kernel/http/index.ts';
import type { Jar } from '../../kernel/service/index.ts';
import type { Query, Tx, WorkItem } from '../../kernel/store/index.ts';
import { workHandler } from '../../kernel/work/index.ts';
import { DELETE_GROUP, type Deletion } from './work.ts';

/** Number of resources that one transaction deletes. A group is deleted in such steps, so that the work survives a crash at any size. */
const STEP = 100;

export const deleteGroup = workHandler(DELETE_GROUP, async (item, jar: Jar) => {
  const { payload } = item;
  try {
    for (let step = 1; await deleteSome(payload, jar); step++) {
      await jar.store.transact((tx) => progressOperation(tx, payload.operation, Math.min(90, step * 10)));
    }
    await jar.store.transact((tx) => finish(tx, item, payload, jar));
  } catch (error) {
    // A provider's refusal ends the operation; any other error is retried.
    if (!(error instanceof ApiError)) throw error;
    await jar.store.transact((tx) => fail(tx, item, payload, jar, error));
  }
});

/** Returns true if there may be more to delete. */
async function deleteSome(payload: Deletion, jar: Jar): Promise<boolean> {
  const { key, origin } = payload;
  // Descending, so that children (longer keys) are deleted before their parents.
  const query: Query = { prefix: `${key}/`, order: [{ field: 'key', descending: true }], limit: STEP };
  const { items } = await jar.store.query(resources, query);
  await jar.resourceHooks.ready(new Set(items.map(({ value }) => value.type)));
  return jar.store.transact(async (tx) => {
    if (!(await groupBeingDeleted(tx, payload))) return false;
    const page = await tx.query(resources, query);
    for (const { key: resourceKey, value } of page.items) await deleteOne(tx, resourceKey, value, origin, jar);
    await releaseResourceQuota(
      tx,
      jar,
      page.items.map(({ value }) => value),
    );
    return page.items.length > 0;
  });
}

async function deleteOne(tx: Tx, key: string, resource: Resource, origin: Origin, jar: Jar): Promise<void> {
  await jar.resourceHooks.onDelete(tx, resource);
  await tx.delete(resources, key);
  const own: Origin = {
    ...origin,
    operationName: `${resource.type}/delete`,
    effect: 'delete',
    resourceUri: resource.id,
  };
  await recordOutcome(tx, own, jar.clock.now(), 'Succeeded');
}

async function finish(tx: Tx, item: WorkItem<unknown>, payload: Deletion, jar: Jar): Promise<void> {
  const now = jar.clock.now();
  const group = await groupBeingDeleted(tx, payload);
  if (group) {
    await tx.delete(resourceGroups, payload.key);
    await forgetLocks(tx, jar, group.subscriptionId, [payload.key]);
    await releaseGroupQuota(tx, jar, group.subscriptionId);
  }
  await endOperation(tx, payload.operation, { status: 'Succeeded' }, now);
  if (group) await recordOutcome(tx, payload.origin, now, 'Succeeded');
  await tx.complete(item);
}

async function fail(tx: Tx, item: WorkItem<unknown>, payload: Deletion, jar: Jar, error: ApiError): Promise<void> {
  const now = jar.clock.now();
  const group = await groupBeingDeleted(tx, payload);
  if (group) {
    const { deletion: _ended, ...kept } = group;
    await tx.put(resourceGroups, payload.key, { ...kept, provisioningState: 'Succeeded' });
  }
  const { code, message } = error;
  await endOperation(tx, payload.operation, { status: 'Failed', error: { code, message } }, now);
  await recordOutcome(tx, payload.origin, now, 'Failed', { code, message });
  await tx.complete(item);
}

/** The group, if this deletion is still the one that deletes it. A group that was recreated under the same name is left alone. */
async function groupBeingDeleted(tx: Tx, { key, operation }: Deletion): Promise<ResourceGroup | undefined> {
  const group = (await tx.get(resourceGroups, key))?.value;
  return group?.deletion === operation ? group : undefined;
}
