import type { Resource } from '../../../kernel/arm/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { groupSecrets } from '../collections.ts';
import { forgetGroup } from '../runtime/transitions.ts';
import { freeName } from './dns-name.ts';
import { freeQuotas } from './quotas.ts';
import { rememberDeletedGroup } from './recently-deleted.ts';

/** Deletes the other documents of a group when the group is deleted. */
export async function forgetResource(tx: Tx, resource: Resource, jar: Jar): Promise<void> {
  const key = resource.id.toLowerCase();
  // The group's logs are deleted only when the engine has removed its containers; until then they may still write.
  await forgetGroup(tx, jar, key);
  await tx.delete(groupSecrets, key);
  await rememberDeletedGroup(tx, jar, key);
  await freeName(tx, resource);
  await freeQuotas(tx, jar, resource);
}
