import type { EngineContext } from '../context.ts';
import { type ContainerEngine, EngineUnavailable } from '../types.ts';

/** The socket of an engine that answers, if there is one; looks where Docker and Podman put theirs. */
export async function findEngine(_context: EngineContext): Promise<string | undefined> {
  return undefined;
}

/** Throws `EngineUnavailable` when nothing answers. */
export async function openDocker(_context: EngineContext, socket: string | undefined): Promise<ContainerEngine> {
  throw new EngineUnavailable(`no engine answers at ${socket}`);
}
