import type { Origin } from '../../../kernel/arm/index.ts';
import { defineWork } from '../../../kernel/work/index.ts';

/** A write to a topic or a domain that was answered as under way. */
export interface BegunWrite {
  readonly key: string;
  /** The resource that was written: one that was made anew under its name is another. */
  readonly createdAt: number;
  readonly operation: string;
  readonly origin: Origin;
}

/** Ends a write to a topic or a domain. */
export const FINISH = defineWork<BegunWrite>('events.finish-topic');
