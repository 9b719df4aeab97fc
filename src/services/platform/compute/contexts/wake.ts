import type { Tx } from '../../../../kernel/store/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { clusters } from '../collections.ts';
import { RUN_COMMANDS, workId } from '../work.ts';

/** For transactions that add work to a context. */
export const wakeContext = (tx: Tx, { clock }: Pick<PlatformJar, 'clock'>, key: string): Promise<void> =>
  tx.wake(RUN_COMMANDS.at(clock.now(), { key }, workId(RUN_COMMANDS, key)));

/** Lock order of requests and work: the cluster, then the context, then the item. */
export const lockCluster = (tx: Tx, key: string): Promise<unknown> =>
  tx.get(clusters, key.slice(0, key.lastIndexOf('/')));
