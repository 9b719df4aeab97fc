import { isLocalhostName, reachOf } from '../../../kernel/outbound/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { settingsOf } from '../settings.ts';

/** Whether containers get what makes them masters of the machine: by the settings, else only while nobody else can ask for it. */
export function allowsPrivileged(jar: Pick<Jar, 'config'>): boolean {
  const { host } = jar.config;
  const bare = host.replace(/^\[|\]$/g, '');
  return settingsOf(jar).allowPrivileged ?? (isLocalhostName(bare) || reachOf(bare) === 'loopback');
}
