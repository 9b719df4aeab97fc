import type { Jar } from '../../../kernel/service/index.ts';
import type { Json, Tx } from '../../../kernel/store/index.ts';

/** Writes a change record for the live feed, in the transaction of the change. */
export const recordChange = (
  tx: Tx,
  { clock }: Pick<Jar, 'clock'>,
  kind: 'write' | 'delete' | 'action',
  subject: string,
  data: Json = {},
): Promise<void> => tx.change({ source: 'lifecycle', kind, subject, outcome: 'Succeeded', at: clock.now(), data });
