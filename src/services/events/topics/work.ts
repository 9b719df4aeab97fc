import type { Origin } from '../../../kernel/arm/index.ts';
import { defineWork } from '../../../kernel/work/index.ts';

/** A write to a topic or a domain whose answer showed it as running. */
export interface BegunWrite {
  readonly key: string;
  /** Identifies the resource that was written: a recreated one has another time. */
  readonly createdAt: number;
  readonly operation: string;
  readonly origin: Origin;
}

export const FINISH = defineWork<BegunWrite>('events.finish-topic', {
  title: 'Finishes the creation or change of a topic',
  subject: 'key',
});
