import { ApiError } from '../../../kernel/http/index.ts';
import type { Stored } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import type { BusinessJar } from '../jar.ts';
import { businessTenants, type KeptSeed, keptSeed, SEED_KEY } from './collections.ts';
import { keepDefaultSeed } from './seed.ts';

/** Makes the companies of a tenant when it is first asked for them. Afterwards it is a look into memory. */
export async function ensureTenant(jar: BusinessJar, tenantId: string): Promise<void> {
  if (await jar.store.cached(businessTenants, tenantId)) return;
  const { tenantsUnderWay } = jar;
  let making = tenantsUnderWay.get(tenantId);
  if (!making) {
    // Others wait for it too, so it goes on if the first to ask leaves.
    making = jar.store.onBehalfOf(undefined, () => make(jar, tenantId)).finally(() => tenantsUnderWay.delete(tenantId));
    tenantsUnderWay.set(tenantId, making);
  }
  await making;
}

async function make(jar: BusinessJar, tenantId: string): Promise<void> {
  const { drawUp } = await import('./draw-up.ts');
  for (;;) {
    const stored = await jar.store.get(keptSeed, SEED_KEY);
    const seed = stored?.value ?? (await noteDefaults(jar));
    const drawn = await jar.drawings.of(tenantId, seed, async () =>
      (await drawUp(jar, tenantId, seed.section, seed.at).catch(unusable)).documents(),
    );
    const isDone = await jar.store.transact(async (tx) => {
      await tx.lock(`business/tenants/${tenantId}`);
      // Another node was faster, or the jar was reset meanwhile and has another seed.
      if (await tx.get(businessTenants, tenantId, 'none')) return true;
      if (!isSame(await tx.get(keptSeed, SEED_KEY, 'none'), stored)) return false;
      for (const { collection, documents } of drawn) await tx.putAll(collection, documents);
      await tx.put(businessTenants, tenantId, { madeAt: seed.at });
      return true;
    });
    if (isDone) return;
  }
}

/** A seed file may name sets that are not there and records that rules refuse; whoever asks for the companies is told. */
function unusable(cause: unknown): never {
  if (!(cause instanceof ApiError)) throw cause;
  const reason = `The companies cannot be made as the seed file says: ${cause.message}`;
  throw errors.Internal_TenantUnavailable({ reason }, { cause });
}

const isSame = (one: Stored<KeptSeed> | undefined, other: Stored<KeptSeed> | undefined): boolean =>
  other === undefined || one?.etag === other.etag;

/** A jar that was made before this service was there has no seed for it. */
async function noteDefaults(jar: BusinessJar): Promise<KeptSeed> {
  const now = jar.clock.now();
  return jar.store.transact((tx) => keepDefaultSeed(tx, now));
}
