import { EngineUnavailable, type GroupEngine } from '../../../kernel/engines/index.ts';
import type { Jar } from '../../../kernel/jar-context.ts';
import { containerErrors } from '../errors.ts';
import { memoryOf } from '../memory.ts';

/** Asks the engine for something on behalf of a caller, who is told when it does not answer. */
export async function askEngine<R>(jar: Jar, ask: (engine: GroupEngine) => Promise<R> | R): Promise<R> {
  try {
    return await ask(memoryOf(jar).engine);
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
    throw containerErrors.ContainerEngineUnavailable({ reason: error.message }, { cause: error });
  }
}
