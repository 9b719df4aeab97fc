import type { TSchema } from 'typebox';
import { findMistake } from '../values/find-mistake.ts';
import { type Config, ConfigError } from './config.ts';

/** Most jars have no settings for a service, and a start should not wait for the means to check them. */
export async function checkServiceSettings(
  { services }: Config,
  name: string,
  schema: () => Promise<TSchema>,
): Promise<void> {
  const given = services[name];
  if (given === undefined) return;
  const mistake = await findMistake(await schema(), given);
  if (mistake) throw new ConfigError(`services.${name}: ${mistake.field} ${mistake.reason}`.trim());
}
