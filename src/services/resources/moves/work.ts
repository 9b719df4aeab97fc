import type { Origin } from '../../../kernel/arm/index.ts';
import { defineWork } from '../../../kernel/work/index.ts';

/** Resources on their way from one group to another, or the question whether they could go. */
export interface Move {
  readonly operation: string;
  readonly origin: Origin;
  /** Keys of the groups in the store. */
  readonly source: string;
  readonly target: string;
  /** Ids as they were sent. */
  readonly resources: readonly string[];
  /** Nothing is moved; the operation fails where something could not be. */
  readonly validateOnly: boolean;
}

export const MOVE_RESOURCES = defineWork<Move>('resources.move');
