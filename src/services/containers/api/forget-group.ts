import type { Resource } from '../../../kernel/arm/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { groupSecrets } from '../collections.ts';
import { forgetGroup } from '../runtime/transitions.ts';
import { rememberDeparted } from './departed.ts';
import { freeName } from './dns-name.ts';
import { freeQuotas } from './quotas.ts';

/** What else goes when a group goes. */
export async function forgetResource(tx: Tx, resource: Resource, jar: Jar): Promise<void> {
  const key = resource.id.toLowerCase();
  // What it has written is forgotten when its engine has let go of it: until then there may be more to come.
  await forgetGroup(tx, jar, key);
  await tx.delete(groupSecrets, key);
  await rememberDeparted(tx, jar, key);
  await freeName(tx, resource);
  await freeQuotas(tx, jar, resource);
}
