import type { EngineContext } from '../context.ts';
import type { GroupEngine } from '../types.ts';
import { asking } from './api-errors.ts';
import { type Connection, connect } from './connection.ts';
import { KubernetesEngine } from './engine.ts';

/** Throws `ConfigError` if no cluster is configured. A cluster that does not respond yet is accepted. */
export async function openKubernetes(context: EngineContext): Promise<GroupEngine> {
  const connection = await connect(context);
  return new KubernetesEngine(context, connection, await describe(connection));
}

async function describe({ version, server, namespace }: Connection): Promise<string> {
  const place = `${server}, namespace ${namespace}`;
  try {
    const { gitVersion } = await asking('asking for the version', () => version.getCode());
    return `Kubernetes ${gitVersion} at ${place}`;
  } catch (error) {
    return `Kubernetes at ${place}, which does not respond yet (${(error as Error).message})`;
  }
}
