import type { Jar } from '../../../kernel/jar-context.ts';
import { checkSettings, settingsOf } from '../settings.ts';
import type { EngineContext } from './context.ts';
import { lazyEngine } from './lazy-engine.ts';
import type { GroupEngine } from './types.ts';

const SIMULATED = 'simulated containers';

const supervisor = () => import('../runtime/supervisor.ts');

const engines = new WeakMap<Jar, Promise<GroupEngine>>();

/** The engine that the jar runs its groups on. */
export function engineOf(jar: Jar): Promise<GroupEngine> {
  const known = engines.get(jar);
  if (known) return known;
  const opening = openEngine({
    jar,
    settings: settingsOf(jar),
    lifetime: jar.config.memory ? 'process' : 'jar',
  });
  engines.set(jar, opening);
  return opening;
}

async function openEngine(context: EngineContext): Promise<GroupEngine> {
  await checkSettings(context.jar);
  const { engine } = context.jar.config;
  if (engine === 'kubernetes') return (await import('./kubernetes/index.ts')).openKubernetes(context);
  if (engine !== 'simulated') {
    const { findEngine } = await import('./docker/find.ts');
    const socket = await findEngine(context);
    if (engine === 'docker' || socket !== undefined) {
      const { openDocker } = await import('./docker/index.ts');
      return (await supervisor()).supervise(await openDocker(context, socket), context);
    }
  }
  const description = engine === 'auto' ? `${SIMULATED}, since neither Docker nor Podman answers` : SIMULATED;
  return lazyEngine({ name: 'simulated', description }, async () => {
    const { openSimulated } = await import('./simulated/index.ts');
    return (await supervisor()).supervise(await openSimulated(context), context);
  });
}
