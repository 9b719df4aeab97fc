import { inject, type TestContext } from 'vitest';
import { type RabbitAddress, sharedRabbit } from './rabbitmq.ts';

/** The run's broker; a test that calls this is skipped, with the reason, if none is available. */
export async function useRabbit(context: Pick<TestContext, 'skip'>): Promise<RabbitAddress> {
  const shared = await sharedRabbit(inject('runFolder'), inject('runPid'));
  if ('reason' in shared) return context.skip(shared.reason);
  return shared;
}
