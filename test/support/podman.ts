import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, open, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freeSubnet } from './free-subnet.ts';
import { isAlive, lastLine, type Shared, sharedServer, startedServer } from './shared-server.ts';

const run = promisify(execFile);
const POLL_MS = 25;

/** The image of the tests: only a static busybox. */
export const BUSYBOX = 'local/busybox:1';

const NETWORK = 'cloudjar-tests';

/** The programs that tests run in their containers. */
const APPLETS =
  'sh cat echo sleep true false ls id hostname nc httpd wget grep head tail printf kill ps env touch mkdir rm dd stat date test';

/** The registry that a run's engine accepts without a certificate. Its port is below the system's ephemeral ports. */
export const registryHost = (guardian: number): string => `127.0.0.1:${20_000 + (guardian % 10_000)}`;

export interface PodmanService {
  readonly socket: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * Starts a separate Podman for the tests, which offers the Docker Engine API: its settings, storage and sockets are in a temporary folder,
 * so that the machine's own are not affected. It is ended by `stop`, or when the process `guardian` ends; its containers end with it.
 * Throws a one-line reason if none can be started.
 */
export async function startPodman(guardian = process.pid): Promise<PodmanService> {
  await findPrograms();
  const folder = await mkdtemp(join(tmpdir(), 'cloudjar-podman-'));
  const environment = await writeSettings(folder, registryHost(guardian));
  try {
    await makeNetwork(folder, guardian);
    await makeImage(folder, environment);
    return await launch(folder, environment, guardian);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function findPrograms(): Promise<void> {
  if (process.platform !== 'linux') throw new Error('Podman for the tests runs on Linux only');
  if (process.getuid?.() !== 0) throw new Error('Podman for the tests has to run as root');
  const missing: string[] = [];
  for (const program of ['podman', 'runc']) {
    await run(program, ['--version']).catch(() => missing.push(program));
  }
  await stat(STATIC_BUSYBOX).catch(() => missing.push('busybox-static'));
  if (missing.length > 0) throw new Error(`not installed: ${missing.join(', ')}`);
}

const STATIC_BUSYBOX = '/bin/busybox';

/** The limits are low enough for machines on which a process may not raise its own. */
async function writeSettings(folder: string, registry: string): Promise<NodeJS.ProcessEnv> {
  const containers = `
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
tmp_dir = "${folder}/tmp"
[network]
network_config_dir = "${folder}/networks"
default_network = "${NETWORK}"
`;
  const storage = `
[storage]
driver = "vfs"
runroot = "${folder}/run"
graphroot = "${folder}/graph"
`;
  // No search registries: a name without a host is local or fails.
  const registries = `
unqualified-search-registries = []
[[registry]]
location = "${registry}"
insecure = true
`;
  await mkdir(join(folder, 'networks'), { recursive: true });
  const files = { 'containers.conf': containers, 'storage.conf': storage, 'registries.conf': registries };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return {
    ...process.env,
    CONTAINERS_CONF: join(folder, 'containers.conf'),
    CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'),
    CONTAINERS_REGISTRIES_CONF: join(folder, 'registries.conf'),
  };
}

/** With a separate interface and separate addresses: another engine of this machine may use Podman's defaults. */
async function makeNetwork(folder: string, guardian: number): Promise<void> {
  const { subnet, gateway } = await freeSubnet(guardian);
  const network = {
    name: NETWORK,
    id: createHash('sha256').update(NETWORK).digest('hex'),
    driver: 'bridge',
    network_interface: `cjt${guardian}`,
    created: new Date().toISOString(),
    subnets: [{ subnet, gateway }],
    ipv6_enabled: false,
    internal: false,
    dns_enabled: false,
    ipam_options: { driver: 'host-local' },
  };
  await writeFile(join(folder, 'networks', `${NETWORK}.json`), JSON.stringify(network));
}

async function makeImage(folder: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const root = join(folder, 'rootfs');
  for (const name of ['bin', 'dev', 'etc', 'proc', 'root', 'sys', 'tmp']) {
    await mkdir(join(root, name), { recursive: true });
  }
  await copyFile(STATIC_BUSYBOX, join(root, 'bin/busybox'));
  for (const applet of APPLETS.split(' ')) await symlink('busybox', join(root, 'bin', applet));
  await writeFile(join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\n');
  const archive = join(folder, 'rootfs.tar');
  await run('tar', ['-C', root, '-cf', archive, '.']);
  await run('podman', ['import', '--change', 'CMD ["sh"]', archive, BUSYBOX], { env: environment });
  await rm(archive);
  await rm(root, { recursive: true });
}

async function launch(folder: string, environment: NodeJS.ProcessEnv, guardian: number): Promise<PodmanService> {
  const socket = join(folder, 'podman.sock');
  const logFile = join(folder, 'service.log');
  const log = await open(logFile, 'a');
  // The shell ends it and everything that it runs when its guardian has ended and cannot call `stop` any more. Podman keeps the monitors of
  // commands in containers for some minutes; nothing will query them.
  const script = `
    podman system service -t 0 'unix://${socket}' & server=$!
    trap 'kill $server' TERM
    while kill -0 $server 2>/dev/null && kill -0 ${guardian} 2>/dev/null; do sleep 1 & wait $!; done
    kill $server 2>/dev/null; wait $server
    podman rm --all --force --time 0 --volumes || podman rm --all --force --time 0 --volumes
    for process in /proc/[0-9]*; do
      grep -qs '${folder}/' "$process/cmdline" || continue
      [ "$(cat "$process/comm" 2>/dev/null)" = conmon ] || continue
      kill -KILL $(cat "$process/task/\${process#/proc/}/children" 2>/dev/null) "\${process#/proc/}"
    done
    grep -o ' ${folder}/[^ ]*' /proc/self/mounts | sort -r | while read -r mount; do umount -l "$mount"; done
    rm -rf '${folder}'`;
  const child = spawn('/bin/sh', ['-c', script], {
    cwd: '/',
    env: environment,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  await log.close();
  child.unref();
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  while (!(await answers(socket))) {
    if (ended) throw new Error(`Podman did not start: ${await lastLine(logFile)}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return { socket, pid: child.pid!, stop: () => endService(child.pid!) };
}

async function endService(pid: number): Promise<void> {
  if (isAlive(pid)) process.kill(pid, 'SIGTERM');
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const ping = request({ socketPath, path: '/_ping' }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    ping.once('error', () => resolve(false));
    ping.end();
  });
}

type Server = { readonly socket: string; readonly pid: number };

const NAME = 'Podman';

/** The run's shared engine, or the reason why none is available. */
export function sharedPodman(folder: string, guardian: number): Promise<Shared<Server>> {
  return sharedServer(folder, NAME, async () => {
    const { socket, pid } = await startPodman(guardian);
    return { socket, pid };
  });
}

export async function stopSharedPodman(folder: string): Promise<void> {
  const server = await startedServer<Server>(folder, NAME);
  if (server) await endService(server.pid);
}
