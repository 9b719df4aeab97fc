import type { Jar } from '../../../../kernel/service/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import type { TrackedRun } from '../collections.ts';

/** Writes the change record of an operation on a run. */
export const recordRun = (tx: Tx, { clock }: Pick<Jar, 'clock'>, kind: string, run: TrackedRun): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${run.workspaceId}/experiments/${run.experimentId}/runs/${run.id}`,
    outcome: 'Succeeded',
    at: clock.now(),
    data: { name: run.name, status: run.status },
  });
