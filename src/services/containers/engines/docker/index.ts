import type { EngineContext } from '../context.ts';
import { type ContainerEngine, EngineUnavailable } from '../types.ts';
import { parseAddress } from './address.ts';
import { EngineClient } from './client.ts';
import { DockerEngine } from './engine.ts';
import { learnFacts } from './engine-facts.ts';

export { findEngine } from './find.ts';

/** Throws `EngineUnavailable` when nothing answers. */
export async function openDocker(context: EngineContext, socket: string | undefined): Promise<ContainerEngine> {
  const address = socket === undefined ? undefined : parseAddress(socket);
  if (!address) throw new EngineUnavailable('no container engine was found');
  const client = new EngineClient(address);
  try {
    const facts = await learnFacts(client);
    const engine = new DockerEngine(client, facts, context);
    // Ready by the time that somebody needs them; whoever does hears of what went wrong.
    facts.details().catch(() => {});
    engine.clearLeftovers();
    return engine;
  } catch (error) {
    client.close();
    throw error;
  }
}
