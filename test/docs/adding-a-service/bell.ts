import { type Resource, type ResourceDefinition, resourceRoutes } from '../../../src/kernel/arm/index.ts';
import { eq, pagesOf, type Tx } from '../../../src/kernel/store/index.ts';
import { BELL_BODY, type BellProperties, instantOf, readBell } from './body.ts';
import { rings } from './collections.ts';
import { bellErrors } from './errors.ts';
import type { BellsJar } from './jar.ts';
import { BELLS_QUOTA } from './limits.ts';
import { BELL } from './type.ts';
import { BELL_VERSIONS } from './versions.ts';
import { RING, ringId } from './work.ts';

const definition: ResourceDefinition<BellProperties, undefined, BellsJar> = {
  ...BELL,
  versions: BELL_VERSIONS,
  body: BELL_BODY.schema(),
  namePattern: /^[a-z][a-z0-9-]{0,29}$/i,
  prepare: (call, arm, { body }) => readBell(body, arm.view.rules, call.jar.clock.now()),
  async write({ tx, call, key, existing, prepared }) {
    if (!existing) await takeQuota(tx, call.jar, key);
    await tx.schedule(RING.at(instantOf(prepared.ringsAt), { key }, ringId(key)));
    return { properties: { ...prepared, state: 'Waiting', provisioningState: 'Succeeded' }, extra: {} };
  },
  onDelete: forgetBell,
};

export const bellRoutes = resourceRoutes(definition);

/** Removes what belongs to a bell, in the transaction that deletes the bell. */
export async function forgetBell(tx: Tx, { id }: Pick<Resource, 'id'>, jar: BellsJar): Promise<void> {
  const key = id.toLowerCase();
  await tx.cancel(ringId(key));
  await jar.delivery.cancel(tx, { owner: key });
  for await (const page of pagesOf(tx, rings, { filter: eq('bell', key) }))
    for (const each of page) await tx.delete(rings, each.key);
  await jar.limits.freeQuota(tx, { limit: BELLS_QUOTA, scope: [subscriptionOf(key)] });
}

async function takeQuota(tx: Tx, jar: BellsJar, key: string): Promise<void> {
  const quota = { limit: BELLS_QUOTA, scope: [subscriptionOf(key)] };
  const { allowed, maximum } = await jar.limits.takeQuota(tx, quota);
  if (!allowed) throw bellErrors.BellQuotaReached({ maximum });
}

const subscriptionOf = (key: string): string => key.split('/')[2] ?? '';
