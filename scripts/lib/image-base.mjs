import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from './children.mjs';
import {
  DEBIAN_RELEASE,
  DEFAULT_BASE,
  debootstrapArguments,
  importArguments,
  OWN_BASE,
  tarArguments,
} from './image-plan.mjs';
import { runtimeDir } from './paths.mjs';
import { during } from './progress.mjs';
import { SetupError, say } from './say.mjs';

/** @type {import('node:child_process').SpawnOptions} */
const QUIETLY = { stdio: ['ignore', 'pipe', 'pipe'] };

/**
 * Resolves to true if a program succeeds; its output is not shown.
 * @param {string} command
 * @param {string[]} args
 */
export const succeeds = (command, args) =>
  run(command, args, QUIETLY).then(
    (code) => code === 0,
    () => false,
  );

/**
 * The base image: the requested one, else Debian's own, else one that is built here.
 * @param {string} engine
 * @param {import('./image-plan.mjs').ImageOptions} options
 */
export async function provideBase(engine, options) {
  const { base } = options;
  const wanted = base ?? DEFAULT_BASE;
  if (await succeeds(engine, ['image', 'inspect', wanted])) return wanted;
  if (await during(`pulling ${wanted}`, () => succeeds(engine, ['pull', wanted]))) return wanted;
  if (base !== undefined) throw new SetupError(`${engine} can neither find nor pull the image ${base}`);
  say(`${wanted} cannot be pulled; the base is built from Debian's packages`);
  if (!(await succeeds(engine, ['image', 'inspect', OWN_BASE]))) await makeBase(engine, options);
  return OWN_BASE;
}

/**
 * @param {string} engine
 * @param {import('./image-plan.mjs').ImageOptions} options
 */
async function makeBase(engine, options) {
  const folder = await debian(options);
  await during(`importing ${OWN_BASE}`, async () => {
    const tar = spawn('tar', tarArguments(folder), { stdio: ['ignore', 'pipe', 'inherit'] });
    const imported = spawn(engine, importArguments(engine, options.arch), { stdio: ['pipe', 'ignore', 'inherit'] });
    const [[tarCode], [code]] = await Promise.all([
      once(tar, 'close'),
      once(imported, 'close'),
      // An early end is reported by the exit status instead.
      pipeline(tar.stdout, imported.stdin).catch(() => {}),
    ]);
    if (tarCode !== 0) throw new SetupError(`tar of ${folder} failed with status ${tarCode}`);
    if (code !== 0) throw new SetupError(`${engine} import failed with status ${code}`);
  });
}

/**
 * The folder of a Debian system. It is created once, and gets its name only when it is complete.
 * @param {import('./image-plan.mjs').ImageOptions} options
 */
async function debian(options) {
  const folder = join(runtimeDir, 'image', `debian-${DEBIAN_RELEASE}-${options.arch}`);
  if (existsSync(folder)) return folder;
  if (process.getuid?.() !== 0)
    throw new SetupError(
      'debootstrap needs root, because it creates files that belong to root: run this as root, or choose an image with --base',
    );
  const draft = `${folder}.part`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  let output = '';
  const onOutput = (/** @type {string} */ text) => {
    output = `${output}${text}`.slice(-4000);
  };
  const args = debootstrapArguments(options, draft);
  const code = await during(`debootstrap of Debian ${DEBIAN_RELEASE}`, () =>
    run('debootstrap', args, { ...QUIETLY, onOutput }),
  ).catch((error) => {
    throw new SetupError(
      `debootstrap could not be started (${error.message}): install the package debootstrap, or choose an image with --base`,
    );
  });
  if (code !== 0) throw new SetupError(`debootstrap failed with status ${code}:\n${output.trim()}`);
  renameSync(draft, folder);
  return folder;
}
