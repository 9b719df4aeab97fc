import { parseArgs } from 'node:util';
import { WANTED_MAJOR } from './runtime.mjs';
import { SetupError } from './say.mjs';

// The commands of `npm run image` and their arguments, as values, without running them.

export const DEFAULT_BASE = 'docker.io/library/debian:trixie-slim';
export const DEBIAN_RELEASE = 'trixie';
/** Name of the base image that is built here if no image registry is reachable. */
export const OWN_BASE = `localhost/cloudjar-base:${DEBIAN_RELEASE}`;
const DEBIAN_MIRROR = 'http://deb.debian.org/debian';
const ENGINES = ['podman', 'docker'];

/** Processor names of Node, mapped to those of container engines and Debian. */
const PROCESSORS = new Map([
  ['x64', 'amd64'],
  ['arm64', 'arm64'],
]);

/**
 * @typedef {object} ImageOptions
 * @property {string | undefined} engine podman or docker; default: the first that answers
 * @property {string | undefined} base an image to build on
 * @property {string} mirror of Debian, for a base that is built here
 * @property {string} name
 * @property {string} arch
 */

/**
 * @param {string[]} args
 * @param {string} ownArch
 * @returns {ImageOptions}
 */
export function readOptions(args, ownArch) {
  const { engine, base, mirror, name, arch } = parsed(args);
  if (engine !== undefined && !ENGINES.includes(engine))
    throw new SetupError(`--engine must be ${ENGINES.join(' or ')}, not ${engine}`);
  const processor = arch ?? ownArch;
  if (!PROCESSORS.has(processor))
    throw new SetupError(`--arch must be ${[...PROCESSORS.keys()].join(' or ')}, not ${processor}`);
  if (name !== undefined && !/^[a-z0-9]+(?:[._/:-][a-z0-9]+)*$/.test(name))
    throw new SetupError(`--name must be the name of an image without a tag, such as cloudjar, not ${name}`);
  return { engine, base, mirror: mirror ?? DEBIAN_MIRROR, name: name ?? 'cloudjar', arch: processor };
}

/** @param {string[]} args */
function parsed(args) {
  const text = /** @type {const} */ ({ type: 'string' });
  try {
    return parseArgs({ args, options: { engine: text, base: text, mirror: text, name: text, arch: text } }).values;
  } catch (error) {
    throw new SetupError(/** @type {Error} */ (error).message);
  }
}

/**
 * The first engine that answers: the requested one, or any.
 * @param {string | undefined} wanted
 * @param {(engine: string) => Promise<boolean>} answers
 */
export async function chooseEngine(wanted, answers) {
  for (const engine of wanted === undefined ? ENGINES : [wanted]) if (await answers(engine)) return engine;
  throw new SetupError(
    wanted === undefined
      ? 'neither podman nor docker answers: install one of them, and start it'
      : `${wanted} does not answer: install it, and start it`,
  );
}

/** @param {string} arch */
export const nodePackage = (arch) => `node-linux-${arch}@${WANTED_MAJOR}`;

/**
 * The smallest Debian with apt, built without an image registry.
 * @param {{ arch: string, mirror: string }} options
 * @param {string} folder
 */
export function debootstrapArguments({ arch, mirror }, folder) {
  return [`--arch=${PROCESSORS.get(arch)}`, '--variant=minbase', DEBIAN_RELEASE, folder, mirror];
}

/** Files that Debian's own slim images leave out as well: caches, package lists and documentation. */
const LEFT_OUT = [
  './dev/*',
  './var/cache/apt/*',
  './var/cache/debconf/*-old',
  './var/lib/apt/lists/*',
  './var/log/*',
  './usr/share/doc/*',
  './usr/share/info/*',
  './usr/share/locale/*',
  './usr/share/man/*',
];

/** @param {string} folder */
export const tarArguments = (folder) => ['-C', folder, '-c', ...LEFT_OUT.map((path) => `--exclude=${path}`), '.'];

/**
 * @param {string} engine
 * @param {string} arch
 */
export const importArguments = (engine, arch) => [
  'import',
  // Docker sets the platform of the image with one option, Podman with two.
  ...(engine === 'docker'
    ? [`--platform=linux/${PROCESSORS.get(arch)}`]
    : ['--os=linux', `--arch=${PROCESSORS.get(arch)}`]),
  '-',
  OWN_BASE,
];

/**
 * @param {{ engine: string, name: string, arch: string, base: string, version: string, revision: string, containerfile: string, context: string }} plan
 */
export function buildArguments({ engine, name, arch, base, version, revision, containerfile, context }) {
  return [
    'build',
    // Podman's default format does not support health checks.
    ...(engine === 'podman' ? ['--format=docker'] : []),
    `--platform=linux/${PROCESSORS.get(arch)}`,
    `--file=${containerfile}`,
    `--build-arg=BASE=${base}`,
    `--build-arg=VERSION=${version}`,
    `--build-arg=REVISION=${revision}`,
    `--tag=${name}:${version}`,
    `--tag=${name}:latest`,
    context,
  ];
}
