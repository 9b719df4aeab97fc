import { openEngine } from '../../kernel/engines/index.ts';
import type { Jar, OpenService } from '../../kernel/service/index.ts';
import { simulated } from './collections.ts';
import type { ContainersJar } from './jar.ts';
import { GroupProxy } from './names/proxy.ts';
import { News } from './runtime/news.ts';
import { Outage } from './runtime/outage.ts';
import { catchUp, wakeGroup } from './runtime/watch.ts';
import { DEFAULT_DNS_SUFFIX, settingsOf } from './settings.ts';

/** Opens the engine that groups run on, and watches it while the jar is open. */
export async function openContainers(jar: Jar): Promise<OpenService> {
  const own = await containersJar(jar);
  const { engine, outage } = own;
  const report = (error: unknown): void => {
    if (!jar.closing.aborted) jar.log.warn({ err: error }, 'the container engine could not be looked at');
  };
  const leaveHealth = jar.health.add({
    name: 'containers',
    // Everything else can be answered without it.
    optional: true,
    state: () => {
      if (engine.trouble !== undefined) return { ok: false, reason: engine.trouble };
      if (!outage.isOn) return { ok: true };
      return { ok: false, reason: 'the container engine does not do its work; the log says why' };
    },
  });
  const { dnsSuffix = DEFAULT_DNS_SUFFIX } = settingsOf(jar);
  const { dnsPort } = jar.config;
  // Few jars have one, and it comes with a library of its own.
  const nameServer =
    dnsPort === undefined
      ? undefined
      : await (await import('./names/dns/door.ts')).openNameServer(jar, dnsPort, dnsSuffix);
  const watching = await engine.watch((uid) => void wakeGroup(own, uid).catch(report));
  let catchingUp = catchUp(own, report).catch(report);
  return {
    jar: own,
    code: async () => (await import('./code.ts')).containersCode,
    hostNames: new GroupProxy(jar, dnsSuffix),
    announce: [
      { name: 'engine', text: engine.description },
      ...(nameServer ? [{ name: 'dns', text: `${jar.config.host}:${nameServer.port}, for *.${dnsSuffix}` }] : []),
    ],
    stateReplaced() {
      outage.forget();
      catchingUp = catchingUp.then(() => catchUp(own, report)).catch(report);
    },
    async close() {
      leaveHealth();
      watching.close();
      await nameServer?.close();
      await catchingUp;
      await engine.close();
    },
  };
}

/** The jar with what the service remembers. */
async function containersJar(jar: Jar): Promise<ContainersJar> {
  const engine = await openEngine({
    jar,
    // The jar's id alone, as since the first release, so that what runs is found again. Other owners are `ownerLabel`s.
    owner: jar.id,
    settings: settingsOf(jar),
    settingsPath: 'services.containers',
    simulated,
  });
  return { ...jar, engine, news: new News(), outage: new Outage(jar.log) };
}
