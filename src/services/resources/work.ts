import type { Origin } from '../../kernel/arm/index.ts';
import { defineWork } from '../../kernel/work/index.ts';

/** Work payload of the deletion of a resource group. */
export interface Deletion {
  /** Store key of the group. */
  readonly key: string;
  readonly operation: string;
  readonly origin: Origin;
}

export const DELETE_GROUP = defineWork<Deletion>('resources.delete-group', {
  title: 'Deletes a resource group',
  subject: 'key',
});
