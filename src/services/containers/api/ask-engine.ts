import type { Jar } from '../../../kernel/jar-context.ts';
import { engineOf } from '../engines/choose.ts';
import { EngineUnavailable, type GroupEngine } from '../engines/types.ts';
import { containerErrors } from '../errors.ts';

/** Asks the engine for something on behalf of a caller, who is told when it does not answer. */
export async function askEngine<R>(jar: Jar, ask: (engine: GroupEngine) => Promise<R> | R): Promise<R> {
  try {
    return await ask(await engineOf(jar));
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
    throw containerErrors.ContainerEngineUnavailable({ reason: error.message }, { cause: error });
  }
}
