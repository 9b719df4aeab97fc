import type { EngineContext } from '../engines/context.ts';
import type { ContainerEngine, GroupEngine } from '../engines/types.ts';

export function supervise(_engine: ContainerEngine, _context: EngineContext): GroupEngine {
  throw new Error('not there yet');
}
