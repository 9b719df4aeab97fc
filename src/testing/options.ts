import { type Config, didYouMean, loadConfig, SETTINGS, type SettingName } from '../kernel/config/config.ts';
import { isObject } from '../kernel/values/objects.ts';
import type { StartJarOptions } from './in-process.ts';

/** Options that are not settings of the command line. */
export const OTHER_OPTIONS: readonly string[] = ['services', 'settings', 'observe', 'snapshot'];

/** Settings that an in-process jar does not support, and why. */
export const NOT_IN_PROCESS: Readonly<Partial<Record<SettingName, string>>> = {
  data: 'a jar of startJar has no data folder; to keep state, use databaseUrl, or run cloudjar start and use connectJar',
  memory: 'a jar of startJar is in memory unless it has a databaseUrl',
};

/**
 * Defaults that differ from the command line: nothing is shared with other jars of the machine, and time and containers depend only on the
 * test.
 */
const DEFAULTS = { clock: 'virtual', engine: 'simulated', logLevel: 'silent' } as const;
/** Override a configuration file too, whose ports are for a jar that people start manually. */
const FREE_PORTS = { port: 0, httpsPort: 0, smtpPort: 0 };

/**
 * The configuration for these options. Reads neither the environment nor files that the options do not name, so that a test is
 * self-contained.
 */
export function configOf(options: StartJarOptions): Config {
  checkOptions(options);
  const { services: _services, observe: _observe, settings, snapshot, ...flags } = options;
  const seed = typeof snapshot === 'string' && { seed: snapshot };
  const config = loadConfig({
    flags: { ...FREE_PORTS, ...defined(flags), ...seed },
    defaults: DEFAULTS,
    cwd: process.cwd(),
    inCode: true,
    ...(settings && { services: settings }),
  });
  return { ...config, memory: config.databaseUrl === undefined };
}

/** An undefined option counts as missing. */
const defined = (options: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

/** JavaScript callers have no compiler to find a misspelt name. */
function checkOptions(options: StartJarOptions): void {
  if (options.seed !== undefined && options.snapshot !== undefined)
    throw new Error('startJar has both a seed and a snapshot; give one of them');
  if (options.observe !== undefined && typeof options.observe !== 'function')
    throw new Error('observe must be a function');
  checkServiceSettings(options.settings);
  const known = [...Object.keys(SETTINGS), ...OTHER_OPTIONS];
  for (const name of Object.keys(options)) {
    const reason = NOT_IN_PROCESS[name as SettingName];
    if (reason !== undefined) throw new Error(`startJar has no option '${name}': ${reason}`);
    if (known.includes(name)) continue;
    const near = didYouMean(name, known);
    throw new Error(`startJar has no option '${name}'${near ? `; did you mean '${near}'?` : ''}`);
  }
}

function checkServiceSettings(settings: unknown): void {
  if (settings === undefined) return;
  const expected = 'must be an object of services, each an object of its settings';
  if (!isObject(settings) || !Object.values(settings).every(isObject)) throw new Error(`settings ${expected}`);
}
