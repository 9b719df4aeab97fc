import { type Resource, releaseResourceQuota, resources } from '../../../kernel/arm/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { pagesOf, type Tx } from '../../../kernel/store/index.ts';
import { DEFAULT_CHILDREN } from './computed-properties.ts';

/** Children per page. */
const PAGE = 500;

interface NewParent extends Pick<Resource, 'id' | 'type' | 'resourceGroup'> {
  readonly now: number;
}

/** Creates the children that a new record has by default, such as the blob service of a storage account. */
export async function createDefaultChildren(tx: Tx, { id, type, resourceGroup, now }: NewParent): Promise<void> {
  for (const child of DEFAULT_CHILDREN[type] ?? []) {
    const [name = '', childName = ''] = child.split('/');
    const childId = `${id}/${child}`;
    await tx.put(resources, childId.toLowerCase(), {
      id: childId,
      subscriptionId: id.split('/')[2] ?? '',
      resourceGroup,
      name: childName,
      type: `${type}/${name}`,
      tags: {},
      properties: { provisioningState: 'Succeeded' },
      extra: {},
      createdAt: now,
      changedAt: now,
    });
  }
}

/** Deletes the children of a resource in the same transaction. */
export async function dropChildren(tx: Tx, { id }: Resource, jar: Jar): Promise<void> {
  for await (const page of pagesOf(tx, resources, { prefix: `${id.toLowerCase()}/`, page: PAGE })) {
    for (const { key } of page) await tx.delete(resources, key);
    await releaseResourceQuota(
      tx,
      jar,
      page.map(({ value }) => value),
    );
  }
}
