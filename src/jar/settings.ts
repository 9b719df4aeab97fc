import type { Config } from '../kernel/config/config.ts';
import { ConfigError, didYouMean } from '../kernel/config/config.ts';
import type { Jar } from '../kernel/service/jar.ts';
import type { Service } from '../kernel/service/service.ts';
import { findMistake } from '../kernel/values/find-mistake.ts';

/** Settings under a misspelt service name would silently have no effect. */
export function refuseUnknownServices({ services: settings }: Config, services: readonly Service[]): void {
  const names = services.map(({ name }) => name);
  for (const name of Object.keys(settings)) {
    if (names.includes(name)) continue;
    const meant = didYouMean(name, names);
    const hint = meant === undefined ? `the services are ${names.join(', ')}` : `did you mean '${meant}'?`;
    throw new ConfigError(`services.${name}: there is no such service; ${hint}`);
  }
}

/** Throws for invalid settings. The schema validator is loaded only if settings exist, to keep the start fast. */
export async function checkSettings(jar: Jar, services: readonly Service[]): Promise<void> {
  for (const { name, settings } of services) {
    const given = jar.config.services[name];
    if (given === undefined || !settings) continue;
    const { schema, check } = await settings.load();
    const mistake = await findMistake(schema, given);
    if (mistake) throw new ConfigError(`services.${name}: ${mistake.field} ${mistake.reason}`.trim());
    check?.(jar);
  }
}
