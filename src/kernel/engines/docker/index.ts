import type { EngineContext } from '../context.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../settings.ts';
import { supervise } from '../supervisor/supervisor.ts';
import { type ContainerEngine, EngineUnavailable, type GroupEngine } from '../types.ts';
import { parseAddress } from './address.ts';
import { EngineClient } from './client.ts';
import { DockerEngine } from './engine.ts';
import { learnFacts } from './engine-facts.ts';

export { findEngine } from './find.ts';

/** Groups of containers on Docker or Podman. Throws `EngineUnavailable` if no engine responds. */
export async function openDockerGroups(context: EngineContext, socket: string | undefined): Promise<GroupEngine> {
  return supervise(await openDocker(context, socket), context);
}

/** Throws `EngineUnavailable` if no engine responds. */
export async function openDocker(context: EngineContext, socket: string | undefined): Promise<ContainerEngine> {
  const address = socket === undefined ? undefined : parseAddress(socket);
  if (!address) throw new EngineUnavailable('no container engine was found');
  const { timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = context.settings;
  const client = new EngineClient(address, { patienceMs: timeoutSeconds * 1000 });
  try {
    const facts = await learnFacts(client);
    const engine = new DockerEngine(client, facts, context);
    // Requested in advance; a failure is reported to the first caller that needs the details.
    facts.details().catch(() => {});
    engine.clearLeftovers();
    return engine;
  } catch (error) {
    client.close();
    throw error;
  }
}
