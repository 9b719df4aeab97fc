import { EngineUnavailable, type GroupEngine } from '../../../kernel/engines/index.ts';
import { containerErrors } from '../errors.ts';
import type { ContainersJar } from '../jar.ts';

/** Calls the engine for a caller. If the engine does not answer, the caller gets an error that says so. */
export async function askEngine<R>(
  { engine }: Pick<ContainersJar, 'engine'>,
  ask: (engine: GroupEngine) => Promise<R> | R,
): Promise<R> {
  try {
    return await ask(engine);
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
    throw containerErrors.ContainerEngineUnavailable({ reason: error.message }, { cause: error });
  }
}
