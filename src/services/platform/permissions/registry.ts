import type { Reader, Tx } from '../../../kernel/store/index.ts';
import { GUARDED_COMPUTE } from '../compute/guarded.ts';
import { guardedJobs } from '../jobs/api/guarded-jobs.ts';
import type { AclEntry, Guarded } from './guard.ts';
import type { ObjectType } from './levels.ts';

/** How the permissions API finds the objects of a type, and changes who is given what on one. */
export interface GuardedKind {
  find(reader: Reader, workspaceId: string, id: string): Promise<Guarded | undefined>;
  /** In a transaction that has found the object. */
  save(tx: Tx, workspaceId: string, id: string, acl: readonly AclEntry[]): Promise<void>;
}

/** By the type in the path. A part of the platform that has objects with permissions adds its line here. */
export const GUARDED_KINDS: Readonly<Partial<Record<ObjectType, GuardedKind>>> = {
  ...GUARDED_COMPUTE,
  jobs: guardedJobs,
};
