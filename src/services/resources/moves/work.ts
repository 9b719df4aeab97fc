import type { Origin } from '../../../kernel/arm/index.ts';
import { defineWork } from '../../../kernel/work/index.ts';

/** Work payload of a move between groups, or of its validation. */
export interface Move {
  readonly operation: string;
  readonly origin: Origin;
  /** Store keys of the groups. */
  readonly source: string;
  readonly target: string;
  /** Ids as sent. */
  readonly resources: readonly string[];
  /** If true, nothing is moved and the operation fails if any resource cannot be moved. */
  readonly validateOnly: boolean;
}

export const MOVE_RESOURCES = defineWork<Move>('resources.move', { title: 'Moves resources', subject: 'source' });
