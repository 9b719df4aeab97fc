import type { Tx } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import type { PlatformJar } from '../../jar.ts';
import type { JobSettings, Run } from '../collections.ts';

export interface RepairRequest {
  readonly taskKeys: readonly string[];
  readonly settings: JobSettings;
  readonly overriding: JsonMembers;
  readonly parameters: Run['parameters'];
}

/** Stands in until runs are carried out. */
export function repairRun(_tx: Tx, _jar: PlatformJar, _run: Run, _repair: RepairRequest): Promise<string> {
  return Promise.reject(new Error('runs are not carried out yet'));
}
