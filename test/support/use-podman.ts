import { inject, type TestContext } from 'vitest';
import { sharedPodman } from './podman.ts';

/** The socket of the run's container engine; a test that calls this is skipped, with the reason, if none is available. */
export async function usePodman(context: Pick<TestContext, 'skip'>): Promise<string> {
  const shared = await sharedPodman(inject('runFolder'), inject('runPid'));
  if ('reason' in shared) return context.skip(shared.reason);
  return shared.socket;
}
