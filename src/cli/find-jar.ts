import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, SETTINGS } from '../kernel/config/config.ts';
import { CliError, usageError } from './errors.ts';
import { type FoundJarFile, readJarFile } from './jar-file.ts';
import { readConfig } from './read-config.ts';

/** The jar that a command talks to, and how its address was found. */
export interface FoundJar {
  readonly url: string;
  /** `--url`, `CLOUDJAR_URL` or the path of a jar file; undefined for the default address. */
  readonly source: string | undefined;
  readonly config: Config;
  readonly folder: string;
  /** The jar file in the data folder, if the address comes from it. */
  readonly file: FoundJarFile | undefined;
  /** Time limit for an answer; undefined: no limit. */
  readonly patienceMs?: number;
  /** Read on demand, because public endpoints need no key. */
  adminKey(): string;
}

export interface WhereToLook {
  readonly url?: string;
  readonly data?: string;
}

export function findJar({ url, data }: WhereToLook): FoundJar {
  const { config } = readConfig({ data });
  const folder = config.data;
  const found = { config, folder, file: undefined, adminKey: () => config.adminKey ?? readAdminKey(folder) };
  if (url !== undefined) return { ...found, url: checkUrl(url, '--url'), source: '--url' };
  const { CLOUDJAR_URL: fromEnvironment = '' } = process.env;
  if (fromEnvironment !== '')
    return { ...found, url: checkUrl(fromEnvironment, 'CLOUDJAR_URL'), source: 'CLOUDJAR_URL' };
  const file = readJarFile(folder);
  if (file) return { ...found, file, url: checkUrl(file.url, file.path), source: file.path };
  return { ...found, url: standardUrl(config), source: undefined };
}

function checkUrl(text: string, source: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw usageError(`${source} must be an address that begins with http:// or https://, not "${text}"`);
  }
  return new URL(text).origin;
}

/** The address at which a jar of this configuration listens. A jar whose port was picked at its start is found only by its file. */
function standardUrl({ host, port }: Config): string {
  const everywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const name = everywhere[host] ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port === 0 ? SETTINGS.port.default : port}`;
}

function readAdminKey(folder: string): string {
  const path = join(folder, 'admin.key');
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? `${path} does not exist` : `${path} cannot be read: ${message}`;
    throw new CliError(`no admin key: ${reason}; set CLOUDJAR_ADMIN_KEY, or give the jar's folder with --data`, 1, {
      cause: error,
    });
  }
}
