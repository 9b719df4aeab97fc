import type { EngineContext, EngineOptions } from './context.ts';
import { lazyEngine } from './lazy-engine.ts';
import { checkOwner } from './owner.ts';
import type { GroupEngine } from './types.ts';

const SIMULATED = 'simulated containers';

/**
 * Opens the configured engine, or the first one that responds, for one owner of containers. The caller closes it. Throws `ConfigError` if
 * the configured engine is not available.
 */
export async function openEngine(options: EngineOptions): Promise<GroupEngine> {
  checkOwner(options.owner);
  const { engine, memory } = options.jar.config;
  const context: EngineContext = { ...options, lifetime: memory ? 'process' : 'jar' };
  if (engine === 'kubernetes') return (await import('./kubernetes/index.ts')).openKubernetes(context);
  if (engine !== 'simulated') {
    const { findEngine } = await import('./docker/find.ts');
    const socket = await findEngine(context);
    if (engine === 'docker' || socket !== undefined) {
      return (await import('./docker/index.ts')).openDockerGroups(context, socket);
    }
  }
  const description = engine === 'auto' ? `${SIMULATED}, since neither Docker nor Podman answers` : SIMULATED;
  return lazyEngine({ name: 'simulated', description }, async () =>
    (await import('./simulated/index.ts')).openSimulatedGroups(context),
  );
}
