import type { EngineContext } from '../context.ts';
import { type ContainerEngine, EngineUnavailable } from '../types.ts';

export async function openSimulated(_context: EngineContext): Promise<ContainerEngine> {
  throw new EngineUnavailable('not there yet');
}
