import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../config/config.ts';
import type { EngineContext } from '../context.ts';
import { isPipe, parseAddress } from './address.ts';
import { EngineClient } from './client.ts';

const PING_MS = 1000;
/** An engine that is configured gets longer, since it may take a while to respond on a busy machine. */
const NAMED_PING_MS = 10_000;

interface Place {
  readonly address: string;
  /** The setting or variable that names the address; absent for a default place. */
  readonly source?: string;
}

/** Returns the socket of an engine that responds, or undefined. Tries the default places of Docker and Podman. */
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
    const message = `${source} names a container engine at ${address}, but ${problem}`;
    if (jar.config.engine === 'docker') throw new ConfigError(message);
    jar.log.warn(message);
    return undefined;
  }
  if (jar.config.engine !== 'docker') return undefined;
  throw new ConfigError(
    `no container engine responds: start Docker or Podman, or set ${setting} (tried ${places.map(({ address }) => address).join(', ')})`,
  );
}

/** The defaults of Docker Desktop and of the machine that Podman creates. */
const PIPES = ['\\\\.\\pipe\\docker_engine', '\\\\.\\pipe\\podman-machine-default'];

/** Returns only the configured place if there is one, otherwise all default places. */
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

/** Returns undefined if an engine responds at the address. */
async function problemAt(text: string, withinMs: number): Promise<string | undefined> {
  const address = parseAddress(text);
  if (!address) return 'this is neither a path nor a unix://, npipe://, tcp:// or http:// address';
  // Checking the file first saves the attempt to connect.
  if (address.kind === 'unix' && !isPipe(address.path) && !existsSync(address.path)) return 'the socket does not exist';
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
