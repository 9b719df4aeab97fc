import type { EngineContext } from '../context.ts';
import { EngineUnavailable, type GroupEngine } from '../types.ts';

export async function openKubernetes(_context: EngineContext): Promise<GroupEngine> {
  throw new EngineUnavailable('not there yet');
}
