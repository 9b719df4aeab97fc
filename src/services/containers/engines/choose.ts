import type { Jar } from '../../../kernel/jar-context.ts';
import { supervise } from '../runtime/supervisor.ts';
import { checkSettings, settingsOf } from '../settings.ts';
import type { EngineContext } from './context.ts';
import type { GroupEngine } from './types.ts';

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
      return supervise(await (await import('./docker/index.ts')).openDocker(context, socket), context);
    }
  }
  return supervise(await (await import('./simulated/index.ts')).openSimulated(context), context);
}
