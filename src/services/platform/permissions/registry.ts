import type { Reader, Tx } from '../../../kernel/store/index.ts';
import type { Principal } from '../accounts/collections.ts';
import { GUARDED_COMPUTE } from '../compute/guarded.ts';
import { guardedJobs } from '../jobs/api/guarded-jobs.ts';
import { GUARDED_SQL } from '../sql/guarded.ts';
import { GUARDED_WAREHOUSES } from '../warehouses/guarded.ts';
import { GUARDED_DIRECTORIES, GUARDED_FILES, GUARDED_NOTEBOOKS, GUARDED_REPOS } from '../workspace/guarded.ts';
import { AUTHORIZATIONS } from './authorization.ts';
import type { AclEntry, Guarded } from './guard.ts';
import type { ObjectType } from './levels.ts';

/** How the permissions API finds the objects of a type, and changes who is given what on one. */
export interface GuardedKind {
  find(reader: Reader, workspaceId: string, id: string): Promise<Guarded | undefined>;
  /** In a transaction that has found the object. */
  save(tx: Tx, workspaceId: string, id: string, acl: readonly AclEntry[]): Promise<void>;
  /** In such a transaction: the object belongs to somebody else. Without it, the new owner is given the most that the type has. */
  transfer?(tx: Tx, workspaceId: string, id: string, owner: Principal): Promise<void>;
  /** `object_type` in answers, where it follows from the id. */
  objectType?(id: string): string;
}

/** By the type in the path. A part of the platform that has objects with permissions adds its line here. */
export const GUARDED_KINDS: Readonly<Partial<Record<ObjectType, GuardedKind>>> = {
  authorization: AUTHORIZATIONS,
  directories: GUARDED_DIRECTORIES,
  files: GUARDED_FILES,
  notebooks: GUARDED_NOTEBOOKS,
  repos: GUARDED_REPOS,
  ...GUARDED_COMPUTE,
  jobs: guardedJobs,
  ...GUARDED_SQL,
  warehouses: GUARDED_WAREHOUSES,
};
