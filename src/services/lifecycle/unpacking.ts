import { ApiError } from '../../kernel/http/index.ts';
import { Gate, GateFullError } from '../../kernel/values/index.ts';
import { LIFECYCLE_FAMILY } from './family.ts';
import type { LifecycleJar } from './jar.ts';

/** Symbol archives and compressed logs that are processed concurrently, and that may wait. */
const AT_ONCE = { running: 2, waiting: 100 };

export const unpackingGate = (): Gate => new Gate(AT_ONCE);

/** Runs a task that unpacks an untrusted file or holds a whole file in memory; only a few run at once. */
export async function withUnpackingSlot<T>(
  { unpacking }: Pick<LifecycleJar, 'unpacking'>,
  task: () => Promise<T>,
): Promise<T> {
  try {
    return await unpacking.pass(task);
  } catch (error) {
    if (error instanceof GateFullError) throw busy('Too many files are being unpacked');
    throw error;
  }
}

export const busy = (reason: string): ApiError =>
  new ApiError(503, LIFECYCLE_FAMILY.codes.unavailable, `${reason}; try again in a second.`, {
    headers: { 'retry-after': '1' },
  });
