import type { Jar } from '../../../kernel/service/index.ts';
import type { Json, Tx } from '../../../kernel/store/index.ts';

/** Tells the live feed what became of something, in the transaction that did it. */
export const noteChange = (
  tx: Tx,
  { clock }: Pick<Jar, 'clock'>,
  kind: 'write' | 'delete' | 'action',
  subject: string,
  data: Json = {},
): Promise<void> => tx.change({ source: 'lifecycle', kind, subject, outcome: 'Succeeded', at: clock.now(), data });
