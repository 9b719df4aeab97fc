import { EngineUnavailable, type GroupEngine } from '../../../kernel/engines/index.ts';
import { containerErrors } from '../errors.ts';
import type { ContainersJar } from '../jar.ts';

/** Asks the engine for something on behalf of a caller, who is told when it does not answer. */
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
