import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { isObject } from '../values/objects.ts';
import { didYouMean } from './did-you-mean.ts';
import { findJsonMistake } from './json-position.ts';
import { SETTING_LIST, type SETTINGS, type Setting, type SettingName } from './settings.ts';

export { didYouMean } from './did-you-mean.ts';
export { type CommandLineOption, commandLineOptions, SETTINGS, type SettingName } from './settings.ts';

export type Settings = { readonly [Name in SettingName]: (typeof SETTINGS)[Name]['default'] };

/** Settings by service name; each service validates its own. */
export type ServiceSettings = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface Config extends Settings {
  readonly services: ServiceSettings;
  /** Provider prefix in responses to requests without one: the first configured `namespace`, otherwise `Vendor`. */
  readonly spokenPrefix: string;
}

/** Default prefix of resource providers. */
const OWN_PREFIX = 'Vendor';

/** An error in the configuration; the message is a single line for the user. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export interface ConfigSources {
  /** By setting name, as parsed by the command line or passed by code. */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Folder of the default configuration file and data folder; by default the working folder. */
  readonly project?: string;
  /** Settings of services, passed by code instead of the file. */
  readonly services?: ServiceSettings;
  /** Override the defaults of the table. */
  readonly defaults?: Partial<Settings>;
  /** Flags are options passed by code: messages use their names without dashes, and a file is read only if it is named. */
  readonly inCode?: boolean;
}

export const DEFAULT_FILE = 'cloudjar.config.json';
const FILE_KEYS: readonly string[] = [
  ...SETTING_LIST.filter((setting) => setting.inFile !== false).map((setting) => setting.name),
  'services',
];

interface ConfigFile {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

interface Found {
  readonly value: unknown;
  /** `--port`, `CLOUDJAR_PORT`, `port in cloudjar.config.json`; absent for a default. */
  readonly source?: string;
}

type Named = Setting & { readonly name: SettingName };

/** Precedence: flag, environment, file, default. */
export function loadConfig(given: ConfigSources): Config {
  const file = readConfigFile(given);
  const sources: Partial<Record<SettingName, string>> = {};
  const config: Partial<Record<keyof Config, unknown>> = {};
  for (const setting of SETTING_LIST) {
    const found = findValue(setting, given, file);
    config[setting.name] = found.value;
    sources[setting.name] = found.source;
  }
  if (file) config.config = file.path;
  config.services = given.services ?? readServices(file);
  // The default namespace is accepted but not used in responses, unless it is configured.
  const [asked] = sources.namespace === undefined ? [] : (config.namespace as readonly string[]);
  config.spokenPrefix = asked ?? OWN_PREFIX;
  // The loop sets every setting, and each value was parsed by its kind.
  const loaded = Object.freeze(config) as Config;
  refuseContradictions(loaded, sources);
  return loaded;
}

function findValue(setting: Named, sources: ConfigSources, file: ConfigFile | undefined): Found {
  const { flags = {}, env = {}, cwd, project = cwd, defaults = {}, inCode = false } = sources;
  const flag = flags[setting.name];
  if (flag !== undefined) {
    const source = setting.flag && !inCode ? `--${setting.flag}` : setting.name;
    return { value: check(setting, flag, source, cwd, readFlag), source };
  }
  const text = env[setting.env];
  // Shells and compose files pass an empty variable to mean none.
  if (text !== undefined && text !== '') {
    return { value: check(setting, text, setting.env, cwd, (kind) => kind.fromText(text)), source: setting.env };
  }
  const entry = file?.values[setting.name];
  if (file && entry !== undefined) {
    const source = `${setting.name} in ${basename(file.path)}`;
    return { value: check(setting, entry, source, dirname(file.path), (kind) => kind.fromJson(entry)), source };
  }
  const fallback = defaults[setting.name] ?? setting.default;
  return { value: setting.kind.isPath && typeof fallback === 'string' ? resolve(project, fallback) : fallback };
}

/** The command line passes text, code passes values. */
function readFlag(kind: Setting['kind'], value: unknown): unknown {
  return typeof value === 'string' ? kind.fromText(value) : kind.fromJson(value);
}

function check(
  setting: Named,
  given: unknown,
  source: string,
  base: string,
  read: (kind: Setting['kind'], given: unknown) => unknown,
): unknown {
  const value = read(setting.kind, given);
  if (value === undefined) {
    const shown = setting.secret ? '' : `, not ${show(given)}`;
    const near = typeof given === 'string' ? didYouMean(given, setting.kind.choices ?? []) : undefined;
    throw new ConfigError(
      `${source} must be ${setting.kind.expected}${shown}${near ? ` (did you mean ${near}?)` : ''}`,
    );
  }
  return setting.kind.isPath ? resolve(base, String(value)) : value;
}

/** The value as JSON, shortened so that the message stays on one line. */
function show(value: unknown): string {
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function readConfigFile(sources: ConfigSources): ConfigFile | undefined {
  const setting = SETTING_LIST.find(({ name }) => name === 'config')!;
  const named = findValue(setting, sources, undefined);
  if (named.value === undefined && sources.inCode) return undefined;
  const path = named.value === undefined ? resolve(sources.project ?? sources.cwd, DEFAULT_FILE) : String(named.value);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT' && named.source === undefined) return undefined;
    const problem = code === 'ENOENT' ? 'the file does not exist' : `it cannot be read (${code})`;
    throw new ConfigError(`${named.source ? `${named.source} names ${path}, but ` : `${path}: `}${problem}`, { cause });
  }
  const values = parseObject(text.replace(/^\uFEFF/, ''), path);
  for (const key of Object.keys(values)) refuseUnknownKey(key, path);
  return { path, values };
}

function parseObject(text: string, path: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const mistake = findJsonMistake(text);
    const place = mistake ? `:${mistake.line}:${mistake.column}: expected ${mistake.expected}` : ' is not valid JSON';
    throw new ConfigError(`${path}${place}`, { cause });
  }
  if (!isObject(value)) throw new ConfigError(`${path} must contain a single JSON object`);
  return value;
}

function refuseUnknownKey(key: string, path: string): void {
  // Editors look for a JSON file's schema under this key.
  if (FILE_KEYS.includes(key) || key === '$schema') return;
  const outside = SETTING_LIST.find(({ name }) => name === key);
  if (outside) {
    const places = [outside.env, ...(outside.flag ? [`--${outside.flag}`] : [])].join(' or ');
    throw new ConfigError(`${path}: ${key} cannot be set in the file, use ${places}`);
  }
  // Suggests the key if the file contains the name of a flag or variable.
  const bare = key.replace(/^-+|^CLOUDJAR_/g, '').replace(/[-_]/g, '');
  const near = didYouMean(bare, FILE_KEYS) ?? didYouMean(key, FILE_KEYS);
  throw new ConfigError(`${path}: unknown key ${show(key)}${near ? ` (did you mean ${near}?)` : ''}`);
}

function readServices(file: ConfigFile | undefined): ServiceSettings {
  const services = file?.values.services ?? {};
  if (file === undefined || !isObject(services)) {
    if (file === undefined) return {};
    throw new ConfigError(`services in ${basename(file.path)} must be an object, not ${show(services)}`);
  }
  for (const [name, settings] of Object.entries(services)) {
    if (isObject(settings)) continue;
    throw new ConfigError(`services.${name} in ${basename(file.path)} must be an object, not ${show(settings)}`);
  }
  return services as ServiceSettings;
}

function refuseContradictions(config: Config, sources: Partial<Record<SettingName, string>>): void {
  if (config.memory && config.databaseUrl !== undefined) {
    throw new ConfigError(`${sources.memory} and ${sources.databaseUrl} exclude each other: choose one store`);
  }
  if (config.clockStart !== undefined && config.clock !== 'virtual') {
    throw new ConfigError(`${sources.clockStart} needs the virtual clock, but the clock is ${config.clock}`);
  }
  const ports = (['port', 'httpsPort', 'smtpPort', 'dnsPort'] as const).filter((name) => config[name]);
  for (const name of ports) {
    const twin = ports.find((other) => other !== name && config[other] === config[name]);
    if (twin) throw new ConfigError(`${name} and ${twin} are both ${config[name]}: each server needs its own port`);
  }
}
