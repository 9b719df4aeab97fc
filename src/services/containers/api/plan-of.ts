import type { Resource } from '../../../kernel/arm/collections.ts';
import type { Vault } from '../../../kernel/auth/vault.ts';
import type { Runtime, SealedSecrets } from '../collections.ts';
import type { GroupPlan } from '../plan.ts';

/** What an engine is to run for a stored group. */
export function planOf(
  _resource: Resource,
  _runtime: Runtime,
  _secrets: SealedSecrets | undefined,
  _vault: Vault,
): GroupPlan {
  throw new Error('not there yet');
}
