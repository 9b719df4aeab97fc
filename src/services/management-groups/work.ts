import type { Origin } from '../../kernel/arm/index.ts';
import { defineWork } from '../../kernel/work/index.ts';

/** Work payload of a creation. */
export interface Creation {
  readonly tenantId: string;
  readonly name: string;
  readonly displayName: string;
  /** Name of the parent in lower case; undefined for the root. */
  readonly parent?: string;
  readonly origin: Origin;
}

/** Work payload of a deletion. */
export interface Deletion {
  readonly tenantId: string;
  readonly name: string;
  readonly origin: Origin;
}

/** Only groups of different tenants are processed in parallel; a lock serialises the groups of one tenant. */
const CONCURRENCY = { concurrency: 4 };

export const CREATE = defineWork<Creation>('management-groups.create', {
  title: 'Creates a management group',
  subject: 'name',
  ...CONCURRENCY,
});
export const DELETE = defineWork<Deletion>('management-groups.delete', {
  title: 'Deletes a management group',
  subject: 'name',
  ...CONCURRENCY,
});
export const FORGET = defineWork<{ readonly key: string }>('management-groups.forget-operation', {
  title: 'Forgets a finished operation of a management group',
  subject: 'key',
});

/** A group has at most one work item of each kind; the key is that of its operation. */
export const itemOf = (key: string): string => `management-groups:${key}`;
export const forgetItem = (key: string): string => `management-groups.forget:${key}`;
