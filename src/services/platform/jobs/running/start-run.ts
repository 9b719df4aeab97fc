import type { Tx } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import type { PlatformJar } from '../../jar.ts';
import type { AclEntry } from '../../permissions/guard.ts';
import type { Job, JobSettings, Run } from '../collections.ts';

export interface NewRun {
  readonly job?: Job;
  readonly workspace: { readonly id: string; readonly accountId: string };
  readonly settings: JobSettings;
  readonly name: string;
  readonly type: Run['type'];
  readonly trigger: Run['trigger'];
  readonly createdBy: string;
  readonly runAs: string;
  readonly parameters: Run['parameters'];
  readonly overriding: JsonMembers;
  readonly queue?: boolean;
  readonly only?: readonly string[];
  readonly idempotencyToken?: string;
  readonly waitedForBy?: string;
  readonly acl?: readonly AclEntry[];
}

/** Stands in until runs are carried out. */
export function startRun(_tx: Tx, _jar: PlatformJar, _run: NewRun): Promise<Run> {
  return Promise.reject(new Error('runs are not carried out yet'));
}
