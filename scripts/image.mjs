// npm run image: builds the container image cloudjar:VERSION with Podman or Docker. `npm run image -- --base IMAGE` builds on another base;
// further options: --engine, --arch, --name, --mirror (docs/guides/install.md).
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './lib/children.mjs';
import { provideBase, succeeds } from './lib/image-base.mjs';
import { buildArguments, chooseEngine, nodePackage, readOptions } from './lib/image-plan.mjs';
import { npm, npmProgram } from './lib/npm.mjs';
import { root, runtimeDir } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { during } from './lib/progress.mjs';
import { main, SetupError, say } from './lib/say.mjs';

const folder = join(runtimeDir, 'image');
const context = join(folder, 'context');
/** @type {import('node:child_process').SpawnOptions} */
const QUIETLY = { stdio: ['ignore', 'pipe', 'pipe'] };

await main(async () => {
  const options = readOptions(process.argv.slice(2), process.arch);
  const engine = await chooseEngine(options.engine, (each) => succeeds(each, ['version']));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  rmSync(context, { recursive: true, force: true });
  mkdirSync(context, { recursive: true });
  const base = await provideBase(engine, options);
  await addNode(options.arch);
  await addPackage();
  const plan = { ...options, engine, base, version, revision: await revision(), context };
  const code = await run(engine, buildArguments({ ...plan, containerfile: join(root, 'Containerfile') }));
  if (code !== 0) throw new SetupError(`${engine} build failed with status ${code}`);
  say(`built ${options.name}:${version} and ${options.name}:latest with ${engine}, on ${base}`);
});

/** @param {string} arch */
async function addNode(arch) {
  const wanted = nodePackage(arch);
  const into = join(folder, `node-${arch}`);
  mkdirSync(into, { recursive: true });
  writeFileSync(join(into, 'package.json'), '{"private":true}\n');
  // The image needs Linux packages, whatever this system is.
  const forImage = ['--os=linux', `--cpu=${arch}`];
  await during(`fetching ${wanted}`, () =>
    npm(['install', '--no-save', '--no-package-lock', '--prefix', into, ...forImage, wanted], into),
  );
  copyFileSync(join(into, 'node_modules', `node-linux-${arch}`, 'bin', 'node'), join(context, 'node'));
}

/** Packs the package as for publishing, and unpacks it. */
async function addPackage() {
  const node = await prepare('all');
  const { command, args } = npmProgram(node);
  const packed = await during('packing the package', () =>
    run(command, [...args, 'pack', '--pack-destination', context, '--loglevel=error'], { cwd: root, ...QUIETLY }),
  );
  if (packed !== 0) throw new SetupError(`npm pack failed with status ${packed}`);
  const [tarball] = readdirSync(context).filter((file) => file.endsWith('.tgz'));
  if (tarball === undefined) throw new SetupError('npm pack created no tarball');
  // npm tarballs have their files in the folder `package`. The file name is relative, because tar takes `C:` for a host name.
  const unpacked = await run('tar', ['-xzf', tarball], { cwd: context });
  if (unpacked !== 0) throw new SetupError(`tar failed with status ${unpacked}`);
  renameSync(join(context, tarball), join(folder, tarball));
}

/** The commit that the image is built from; "unknown" outside a repository. */
async function revision() {
  let output = '';
  const onOutput = (/** @type {string} */ text) => {
    output += text;
  };
  const code = await run('git', ['rev-parse', 'HEAD'], { cwd: root, ...QUIETLY, onOutput }).catch(() => 1);
  return code === 0 ? output.trim() : 'unknown';
}
