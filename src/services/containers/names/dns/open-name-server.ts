import { listenError } from '../../../../kernel/config/index.ts';
import type { Jar } from '../../../../kernel/service/index.ts';
import { groupNamed } from '../find.ts';
import { type NameServer, startNameServer } from './server.ts';

/** Opens the DNS port at the start of a jar that is configured to have one. */
export async function openNameServer(jar: Jar, port: number, suffix: string): Promise<NameServer> {
  const { host } = jar.config;
  const zone = { suffix, find: (name: string) => groupNamed(jar.store, name) };
  try {
    const server = await startNameServer({ host, port, zone, log: jar.log });
    jar.addresses.dnsPort = server.port;
    return server;
  } catch (error) {
    throw listenError(error as NodeJS.ErrnoException, { host, port, flag: '--dns-port' });
  }
}
