import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../config/config.ts';
import type { EngineContext } from '../context.ts';
import { isPipe, parseAddress } from './address.ts';
import { EngineClient } from './client.ts';

const PING_MS = 1000;
/** Where somebody says that there is one, it is waited for: on a busy machine it may take a while to answer. */
const NAMED_PING_MS = 10_000;

interface Place {
  readonly address: string;
  /** Who says that an engine is there; absent for where one usually is. */
  readonly source?: string;
}

/** The socket of an engine that answers, if there is one; looks where Docker and Podman put theirs. */
export async function findEngine({
  jar,
  settings,
  settingsPath,
}: Pick<EngineContext, 'jar' | 'settings' | 'settingsPath'>): Promise<string | undefined> {
  const setting = `${settingsPath}.socket`;
  const places = placesToLook(settings.socket, setting, process.env);
  for (const { address, source } of places) {
    const problem = await problemAt(address, source === undefined ? PING_MS : NAMED_PING_MS);
    if (problem === undefined) return address;
    if (source === undefined) continue;
    const message = `${source} says that a container engine is at ${address}, but ${problem}`;
    if (jar.config.engine === 'docker') throw new ConfigError(message);
    jar.log.warn(message);
    return undefined;
  }
  if (jar.config.engine !== 'docker') return undefined;
  throw new ConfigError(
    `no container engine answers: start Docker or Podman, or set ${setting} (looked at ${places.map(({ address }) => address).join(', ')})`,
  );
}

/** Of Docker Desktop, and of the machine that Podman makes unless told otherwise. */
const PIPES = ['\\\\.\\pipe\\docker_engine', '\\\\.\\pipe\\podman-machine-default'];

/** Where somebody says it is and nowhere else, or all the usual places. */
export function placesToLook(
  socket: string | undefined,
  setting: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Place[] {
  if (socket !== undefined) return [{ address: socket, source: setting }];
  if (env.DOCKER_HOST) return [{ address: env.DOCKER_HOST, source: 'DOCKER_HOST' }];
  if (platform === 'win32') return PIPES.map((address) => ({ address }));
  const places = ['/var/run/docker.sock', '/run/podman/podman.sock'];
  if (env.XDG_RUNTIME_DIR)
    places.push(join(env.XDG_RUNTIME_DIR, 'docker.sock'), join(env.XDG_RUNTIME_DIR, 'podman/podman.sock'));
  places.push(join(homedir(), '.docker/run/docker.sock'));
  return places.map((address) => ({ address }));
}

/** Undefined when an engine answers there. */
async function problemAt(text: string, withinMs: number): Promise<string | undefined> {
  const address = parseAddress(text);
  if (!address) return 'that is neither a path, nor unix://, npipe://, tcp:// or http://';
  // A look at the file costs nothing, where there is none.
  if (address.kind === 'unix' && !isPipe(address.path) && !existsSync(address.path)) return 'there is no such socket';
  const client = new EngineClient(address);
  try {
    await client.text('GET', '/_ping', { signal: AbortSignal.timeout(withinMs) });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    client.close();
  }
}
