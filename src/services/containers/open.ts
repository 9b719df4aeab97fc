import { openEngine } from '../../kernel/engines/index.ts';
import type { Jar, OpenService } from '../../kernel/service/index.ts';
import { simulated } from './collections.ts';
import type { ContainersJar } from './jar.ts';
import { GroupProxy } from './names/proxy.ts';
import { News } from './runtime/news.ts';
import { Outage } from './runtime/outage.ts';
import { catchUp, wakeGroup } from './runtime/watch.ts';
import { DEFAULT_DNS_SUFFIX, settingsOf } from './settings.ts';

/** Opens the engine that runs the groups, and watches it while the jar is open. */
export async function openContainers(jar: Jar): Promise<OpenService> {
  const own = await containersJar(jar);
  const { engine, outage } = own;
  const report = (error: unknown): void => {
    if (!jar.closing.aborted) jar.log.warn({ err: error }, 'the container engine could not be watched');
  };
  const leaveHealth = jar.health.add({
    name: 'containers',
    // All other services work without the engine.
    optional: true,
    state: () => {
      if (engine.trouble !== undefined) return { ok: false, reason: engine.trouble };
      if (!outage.isOn) return { ok: true };
      return { ok: false, reason: 'the container engine fails; the log says why' };
    },
  });
  const { dnsSuffix = DEFAULT_DNS_SUFFIX } = settingsOf(jar);
  const { dnsPort } = jar.config;
  // Loaded on demand: few jars have a name server, and it needs a library of its own.
  const nameServer =
    dnsPort === undefined
      ? undefined
      : await (await import('./names/dns/open-name-server.ts')).openNameServer(jar, dnsPort, dnsSuffix);
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

/** The jar with the service's own memory. */
async function containersJar(jar: Jar): Promise<ContainersJar> {
  const engine = await openEngine({
    jar,
    // Only the jar's id, as since the first release, so that running containers are found again. Other owners use `ownerLabel`.
    owner: jar.id,
    settings: settingsOf(jar),
    settingsPath: 'services.containers',
    simulated,
  });
  return { ...jar, engine, news: new News(), outage: new Outage(jar.log) };
}
