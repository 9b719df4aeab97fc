import type { Tx } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import type { Workspace } from '../../accounts/collections.ts';
import { errors } from '../../errors.ts';
import { accountIn, type PlatformCall } from '../../jar.ts';
import { freeCount, takeCount } from '../../limits/take.ts';
import { findConfiguration } from './configurations.ts';

const FIELD = 'network_connectivity_config_id';

/** In the transaction that writes a workspace: detaches it from its previous network configuration, and attaches it to the new one. */
export async function attachNetwork(
  tx: Tx,
  call: PlatformCall,
  { id, region }: Pick<Workspace, 'id' | 'region'>,
  before: JsonMembers | undefined,
  after: JsonMembers,
): Promise<void> {
  const [old, now] = [before?.[FIELD], after[FIELD]];
  if (old === now) return;
  const of = (configuration: string) =>
    ({ row: 'configuration-workspaces', scope: [accountIn(call).id, configuration] }) as const;
  if (typeof now === 'string') {
    // Locked, so that it is not deleted before this transaction ends.
    const configuration = await findConfiguration(tx, call, now);
    if (configuration.region !== region)
      throw errors.INVALID_PARAMETER_VALUE({
        reason: `The workspace ${id} is in the region ${region} and the network connectivity configuration ${now} in ${configuration.region}.`,
      });
    await takeCount(tx, call.jar, of(now));
  }
  if (typeof old === 'string') await freeCount(tx, call.jar, of(old));
}
