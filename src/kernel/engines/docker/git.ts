import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { addressClassOf, isLocalhostName } from '../../outbound/addresses.ts';
import { OutboundGuard } from '../../outbound/guard.ts';
import type { EngineJar } from '../context.ts';
import type { VolumePlan } from '../plan.ts';
import { MountProblem } from '../types.ts';
import { folderEntries } from './folder-entries.ts';
import type { TarEntry } from './tar.ts';

type Config = EngineJar['config'];
type GitVolume = Extract<VolumePlan, { kind: 'gitRepo' }>;

const CLONE_MS = 10 * 60_000;
const PROTOCOLS = ['https', 'http', 'git', 'ssh'];

/** A clone on this machine; exists until `dispose`. */
export interface Clone {
  readonly entries: readonly TarEntry[];
  dispose(): Promise<void>;
}

/** Returns the files of a `gitRepo` volume, cloned with the `git` of this machine. */
export async function cloneRepository(volume: GitVolume, config: Config, halt: AbortSignal): Promise<Clone> {
  const isLocal = isLocalhostName(config.host) || addressClassOf(config.host.replace(/^\[|\]$/g, '')) === 'loopback';
  const pinned = await checkAddress(volume, config, isLocal);
  const folder = await mkdtemp(join(tmpdir(), 'cloudjar-git-'));
  const dispose = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const target = join(folder, 'volume');
    const inside = directoryOf(volume);
    const clone = join(target, inside);
    const git = (...args: string[]): Promise<void> => runGit(volume, folder, isLocal, pinned, args, halt);
    await git('clone', '--template=', '--no-local', '--', volume.repository, clone);
    if (volume.revision !== undefined) {
      if (volume.revision.startsWith('-')) throw problem(volume, `'${volume.revision}' is not a revision`);
      // A clone lacks revisions that no branch leads to.
      const checkout = ['-C', clone, 'checkout', '--quiet', '--detach'];
      await git(...checkout, volume.revision).catch(async () => {
        await git('-C', clone, 'fetch', '--quiet', '--', 'origin', volume.revision as string);
        await git(...checkout, 'FETCH_HEAD');
      });
    }
    return { entries: await folderEntries(target), dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Directory within the volume; the name of the repository by default. */
function directoryOf(volume: GitVolume): string {
  const last = volume.repository.replace(/\/+$/, '').split(/[/:]/).at(-1) ?? '';
  const directory = volume.directory ?? last.replace(/\.git$/, '');
  const inside = normalize(directory === '' ? '.' : directory);
  if (inside.startsWith('/') || inside.split('/').includes('..'))
    throw problem(volume, `the directory '${directory}' is outside the volume`);
  return inside;
}

/** Returns a git setting that pins the connection to the address that was checked. */
async function checkAddress(volume: GitVolume, config: Config, isLocal: boolean): Promise<string | undefined> {
  const { repository } = volume;
  if (repository.startsWith('-') || repository.includes('::')) throw problem(volume, 'this is not a valid address');
  // `user@host:path` is a short form of ssh.
  const short = /^[\w.-]+@([\w.-]+):(?!\/\/)/.exec(repository);
  const url = short ? new URL(`ssh://${short[1]}`) : URL.canParse(repository) ? new URL(repository) : undefined;
  const protocol = url?.protocol.slice(0, -1) ?? '';
  if (url && protocol === 'file' && isLocal) return undefined;
  if (!url || !PROTOCOLS.includes(protocol))
    throw problem(volume, `the address must begin with ${PROTOCOLS.map((it) => `${it}://`).join(', ')}`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const address = await addressOf(host, config).catch((error: Error) => {
    throw problem(volume, error.message);
  });
  if (isIP(host) !== 0 || !protocol.startsWith('http')) return undefined;
  const port = url.port || (protocol === 'https' ? '443' : '80');
  return `http.curloptResolve=${host}:${port}:${address.includes(':') ? `[${address}]` : address}`;
}

function addressOf(host: string, { host: own, allowHttpLoopback }: Config): Promise<string> {
  const guard = new OutboundGuard({ host: own, allowHttpLoopback, ownPorts: () => [] });
  return new Promise((resolve, reject) => {
    guard.lookup(false)(host, {}, (error, address) => (error ? reject(error) : resolve(String(address))));
  });
}

function runGit(
  volume: GitVolume,
  home: string,
  isLocal: boolean,
  pinned: string | undefined,
  args: readonly string[],
  halt: AbortSignal,
): Promise<void> {
  const settings = [
    'core.hooksPath=/dev/null',
    'core.fsmonitor=false',
    'protocol.ext.allow=never',
    'submodule.recurse=false',
    // A redirect could lead to an address that the jar must not contact.
    'http.followRedirects=false',
    ...(pinned ? [pinned] : []),
  ].flatMap((setting) => ['-c', setting]);
  const env = {
    PATH: process.env.PATH,
    // Git settings and SSH keys of the user who runs the jar are used only if the jar serves only its own machine; otherwise other users
    // could use them.
    HOME: isLocal ? process.env.HOME : home,
    ...(isLocal && { SSH_AUTH_SOCK: process.env.SSH_AUTH_SOCK }),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'true',
    GIT_SSH_COMMAND: 'ssh -o BatchMode=yes -o StrictHostKeyChecking=accept-new',
    GIT_ALLOW_PROTOCOL: [...PROTOCOLS, ...(isLocal ? ['file'] : [])].join(':'),
    LC_ALL: 'C',
  };
  return new Promise((resolve, reject) => {
    const options = { env, cwd: home, timeout: CLONE_MS, killSignal: 'SIGKILL', signal: halt } as const;
    execFile('git', [...settings, ...args], options, (error, _output, said) => {
      if (!error) return resolve();
      if (halt.aborted) return reject(halt.reason);
      if (error.code === 'ENOENT') return reject(problem(volume, 'git is not installed on the machine of the jar'));
      const lines = said.trim().split('\n');
      const line = lines.find((it) => /^(fatal|error): /.test(it)) ?? lines.at(-1);
      const reason = error.killed ? 'timed out' : (line ?? error.message);
      reject(problem(volume, reason));
    });
  });
}

const problem = (volume: GitVolume, reason: string): MountProblem =>
  new MountProblem(`The repository of the volume '${volume.name}' cannot be cloned: ${reason}`);
