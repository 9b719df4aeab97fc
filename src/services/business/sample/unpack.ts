import { ApiError } from '../../../kernel/http/index.ts';
import type { Stored } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import type { BusinessJar } from '../jar.ts';
import { businessTenants, type KeptSeed, keptSeed, SEED_KEY } from './collections.ts';
import { keepDefaultSeed } from './seed.ts';

/** Creates the companies of a tenant on first use. Afterwards it is a cache look-up. */
export async function ensureTenant(jar: BusinessJar, tenantId: string): Promise<void> {
  if (await jar.store.cached(businessTenants, tenantId)) return;
  const { tenantsUnderWay } = jar;
  let making = tenantsUnderWay.get(tenantId);
  if (!making) {
    // Other requests wait for it too, so it continues if the first client disconnects.
    making = jar.store.onBehalfOf(undefined, () => make(jar, tenantId)).finally(() => tenantsUnderWay.delete(tenantId));
    tenantsUnderWay.set(tenantId, making);
  }
  await making;
}

async function make(jar: BusinessJar, tenantId: string): Promise<void> {
  const { generateCompanies } = await import('./generate.ts');
  for (;;) {
    const stored = await jar.store.get(keptSeed, SEED_KEY);
    const seed = stored?.value ?? (await noteDefaults(jar));
    const generated = await jar.companyCache.of(tenantId, seed, async () =>
      (await generateCompanies(jar, tenantId, seed.section, seed.at).catch(unusable)).documents(),
    );
    const isDone = await jar.store.transact(async (tx) => {
      await tx.lock(`business/tenants/${tenantId}`);
      // Another node created them first, or the jar was reset meanwhile and has another seed.
      if (await tx.get(businessTenants, tenantId, 'none')) return true;
      if (!isSame(await tx.get(keptSeed, SEED_KEY, 'none'), stored)) return false;
      for (const { collection, documents } of generated) await tx.putAll(collection, documents);
      await tx.put(businessTenants, tenantId, { madeAt: seed.at });
      return true;
    });
    if (isDone) return;
  }
}

/** A seed file can name sets that do not exist and records that rules refuse; requests for the companies then fail. */
function unusable(cause: unknown): never {
  if (!(cause instanceof ApiError)) throw cause;
  const reason = `The companies of the seed file cannot be created: ${cause.message}`;
  throw errors.Internal_TenantUnavailable({ reason }, { cause });
}

const isSame = (one: Stored<KeptSeed> | undefined, other: Stored<KeptSeed> | undefined): boolean =>
  other === undefined || one?.etag === other.etag;

/** A jar that was created by a release without this service has no seed for it. */
async function noteDefaults(jar: BusinessJar): Promise<KeptSeed> {
  const now = jar.clock.now();
  return jar.store.transact((tx) => keepDefaultSeed(tx, now));
}
