import { openEngine } from '../../kernel/engines/index.ts';
import type { Jar } from '../../kernel/jar-context.ts';
import type { OpenService } from '../../kernel/service.ts';
import { simulated } from './collections.ts';
import { type ContainersMemory, remember } from './memory.ts';
import { News } from './runtime/news.ts';
import { Outage } from './runtime/outage.ts';
import { catchUp, wakeGroup } from './runtime/watch.ts';
import { checkSettings, settingsOf } from './settings.ts';

/** Opens the engine that groups run on, and watches it while the jar is open. */
export async function openContainers(jar: Jar): Promise<OpenService> {
  const memory = await openMemory(jar);
  const { engine, news, outage } = memory;
  remember(jar, memory);
  const report = (error: unknown): void => {
    if (!jar.closing.aborted) jar.log.warn({ err: error }, 'the container engine could not be looked at');
  };
  const watching = await engine.watch((uid) => void wakeGroup(jar, news, uid).catch(report));
  let catchingUp = catchUp(jar, engine, report).catch(report);
  return {
    announce: { name: 'engine', text: engine.description },
    async stateReplaced() {
      outage.forget();
      catchingUp = catchingUp.then(() => catchUp(jar, engine, report)).catch(report);
    },
    async close() {
      watching.close();
      await catchingUp;
      await engine.close();
    },
  };
}

async function openMemory(jar: Jar): Promise<ContainersMemory> {
  await checkSettings(jar);
  const engine = await openEngine({
    jar,
    // The jar's id alone, as since the first release, so that what runs is found again. Other owners are `ownerLabel`s.
    owner: jar.id,
    settings: settingsOf(jar),
    settingsPath: 'services.containers',
    simulated,
  });
  return { engine, news: new News(), outage: new Outage(jar.log) };
}
