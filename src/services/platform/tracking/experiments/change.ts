import type { Jar } from '../../../../kernel/service/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import type { Experiment } from '../collections.ts';

/** Writes the change record of an operation on an experiment. */
export const recordExperiment = (
  tx: Tx,
  { clock }: Pick<Jar, 'clock'>,
  kind: string,
  { workspaceId, id, name }: Experiment,
): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${workspaceId}/experiments/${id}`,
    outcome: 'Succeeded',
    at: clock.now(),
    data: { name },
  });
