import type { Origin } from '../../kernel/arm/index.ts';
import { defineWork } from '../../kernel/work/index.ts';

/** The deletion of a resource group, which goes on after its answer. */
export interface Deletion {
  /** Of the group in the store. */
  readonly key: string;
  readonly operation: string;
  readonly origin: Origin;
}

export const DELETE_GROUP = defineWork<Deletion>('resources.delete-group');
