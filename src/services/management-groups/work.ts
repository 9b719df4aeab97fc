import type { Origin } from '../../kernel/arm/index.ts';
import { defineWork } from '../../kernel/work/index.ts';

/** A group that is to be made. */
export interface Creation {
  readonly tenantId: string;
  readonly name: string;
  readonly displayName: string;
  /** The name of the group above it, in lower case; absent below the root. */
  readonly parent?: string;
  readonly origin: Origin;
}

/** A group that is to be deleted. */
export interface Deletion {
  readonly tenantId: string;
  readonly name: string;
  readonly origin: Origin;
}

/** Groups of different tenants do not wait for each other; those of one tenant do, by a lock. */
const CONCURRENCY = { concurrency: 4 };

export const CREATE = defineWork<Creation>('management-groups.create', CONCURRENCY);
export const DELETE = defineWork<Deletion>('management-groups.delete', CONCURRENCY);
export const FORGET = defineWork<{ readonly key: string }>('management-groups.forget-operation');

/** A group has one item of each kind at most; the key is that of its operation. */
export const itemOf = (key: string): string => `management-groups:${key}`;
export const forgetItem = (key: string): string => `management-groups.forget:${key}`;
