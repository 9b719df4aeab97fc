import type { Tx } from '../../../../kernel/store/index.ts';
import type { PlatformJar } from '../../jar.ts';
import type { Run } from '../collections.ts';

/** Stands in until runs are carried out. */
export async function cancelRun(
  _tx: Tx,
  _jar: PlatformJar,
  _run: Run,
  _ending: NonNullable<Run['ends']>,
): Promise<void> {}
