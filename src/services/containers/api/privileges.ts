import { addressClassOf, isLocalhostName } from '../../../kernel/outbound/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { settingsOf } from '../settings.ts';

/**
 * Whether containers may be privileged. The setting decides; by default privileges are granted only if the jar listens on loopback, because
 * privileged containers control the machine.
 */
export function allowsPrivileged(jar: Pick<Jar, 'config'>): boolean {
  const { host } = jar.config;
  const bare = host.replace(/^\[|\]$/g, '');
  return settingsOf(jar).allowPrivileged ?? (isLocalhostName(bare) || addressClassOf(bare) === 'loopback');
}
