import { join, resolve } from 'node:path';
import { SetupError } from './say.mjs';

// Inputs and outputs of the GitHub Action, as functions of the environment of its step.

/**
 * @typedef {object} Inputs
 * @property {string} version
 * @property {string[]} args
 * @property {string} data
 * @property {string} clock
 * @property {string} seed
 * @property {string} snapshot
 * @property {number} waitMs
 * @property {string} workspace
 * @property {string} temporary
 */

const LONGEST_WAIT_SECONDS = 3600;

/**
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {Inputs}
 */
export function readInputs(env) {
  const input = (/** @type {string} */ name) => (env[`CLOUDJAR_ACTION_${name}`] ?? '').trim();
  const workspace = env.GITHUB_WORKSPACE || '.';
  const temporary = env.RUNNER_TEMP;
  if (!temporary) throw new SetupError('RUNNER_TEMP is not set: this runs as a step of GitHub Actions');
  const wait = Number(input('WAIT') || '60');
  if (!(wait > 0 && wait <= LONGEST_WAIT_SECONDS))
    throw new SetupError(`input wait: '${input('WAIT')}' is not a number of seconds up to ${LONGEST_WAIT_SECONDS}`);
  const inWorkspace = (/** @type {string} */ path) => (path === '' ? '' : resolve(workspace, path));
  return {
    version: input('VERSION'),
    args: words(input('ARGS')),
    data: inWorkspace(input('DATA')) || join(temporary, 'cloudjar-data'),
    clock: input('CLOCK'),
    seed: inWorkspace(input('SEED')),
    snapshot: inWorkspace(input('SNAPSHOT')),
    waitMs: wait * 1000,
    workspace,
    temporary,
  };
}

/**
 * Splits a text into words, with quotes as in a shell. A backslash is an ordinary character, because Windows paths contain it.
 * @param {string} text
 * @returns {string[]}
 */
export function words(text) {
  const found = [];
  let word = '';
  let isWord = false;
  let quote = '';
  for (const character of text) {
    if (quote !== '') {
      if (character === quote) quote = '';
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      isWord = true;
    } else if (/\s/.test(character)) {
      if (isWord) found.push(word);
      word = '';
      isWord = false;
    } else {
      word += character;
      isWord = true;
    }
  }
  if (quote !== '') throw new SetupError(`input args: the quote ${quote} is not closed`);
  if (isWord) found.push(word);
  return found;
}

/** @param {Inputs} inputs */
export function startArguments({ data, clock, seed, args }) {
  return [
    'start',
    '--detach',
    '--json',
    ...['--data', data],
    ...(clock === '' ? [] : ['--clock', clock]),
    ...(seed === '' ? [] : ['--seed', seed]),
    ...args,
  ];
}

/**
 * The npm package specifier for a version: a release, a tag, or a tarball.
 * @param {Inputs} inputs
 */
export function packageToInstall({ version, workspace }) {
  if (/^https?:\/\//.test(version)) return version;
  if (/\.tgz$|[\\/]/.test(version)) return resolve(workspace, version);
  return `cloudjar@${version || 'latest'}`;
}

/**
 * Lines for the files with which a step sets variables and outputs. The delimiter is random, so that a value cannot end itself and start
 * another variable.
 * @param {Readonly<Record<string, string>>} values
 * @param {string} random
 */
export function fileCommands(values, random) {
  const delimiter = `end-${random}`;
  return Object.entries(values)
    .map(([name, value]) => `${name}<<${delimiter}\n${value}\n${delimiter}\n`)
    .join('');
}
