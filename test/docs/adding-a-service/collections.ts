import type { EndCause } from '../../../src/kernel/delivery/index.ts';
import { collection, number, text } from '../../../src/kernel/store/index.ts';

/** One ring of a bell. The key is the id of the delivery that reports it. */
export interface Ring {
  /** The key of the bell: its id in lower case. */
  readonly bell: string;
  readonly sound: string;
  readonly at: number;
  /** How the delivery ended; absent while it is queued. */
  readonly outcome?: EndCause;
}

export const rings = collection<Ring>('bells.rings', {
  fields: { bell: text((it) => it.bell), at: number((it) => it.at), outcome: text((it) => it.outcome) },
  indexes: [['bell']],
});
