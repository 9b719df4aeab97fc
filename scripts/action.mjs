// The step of action.yml: installs the package if the project has none, starts a jar in the background, and passes its address to the
// following steps.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileCommands, packageToInstall, readInputs, startArguments } from './lib/action-plan.mjs';
import { npm } from './lib/npm.mjs';
import { main, SetupError, say } from './lib/say.mjs';

const COMMAND = ['cloudjar', 'bin', 'cloudjar.mjs'];

await main(async () => {
  const inputs = readInputs(process.env);
  const modules = await providePackage(inputs);
  const command = join(modules, ...COMMAND);
  const started = await run(command, startArguments(inputs), inputs.waitMs);
  const { url, httpsUrl } = JSON.parse(started.trim().split('\n').at(-1) ?? '');
  const adminKey = process.env.CLOUDJAR_ADMIN_KEY || readFileSync(join(inputs.data, 'admin.key'), 'utf8').trim();
  // First, so that nothing can print the key before it is masked.
  process.stdout.write(`::add-mask::${adminKey}\n`);
  if (inputs.snapshot !== '') await restore(command, inputs);
  const ca = join(inputs.data, 'ca.pem');
  tell('GITHUB_ENV', {
    CLOUDJAR_URL: url,
    CLOUDJAR_ADMIN_KEY: adminKey,
    CLOUDJAR_CA: ca,
    CLOUDJAR_DATA: inputs.data,
    NODE_EXTRA_CA_CERTS: trustedFile(ca, inputs.temporary),
  });
  tell('GITHUB_OUTPUT', { url, 'https-url': httpsUrl, 'admin-key': adminKey, ca, data: inputs.data });
  // `npx cloudjar` finds only the package of the project.
  appendFileSync(fileOf('GITHUB_PATH'), `${join(modules, '.bin')}\n`);
  say(`ready on ${url} and ${httpsUrl}`);
});

/**
 * The `node_modules` with the package: the project's own if no version is requested, otherwise one beside the project.
 * @param {import('./lib/action-plan.mjs').Inputs} inputs
 */
async function providePackage(inputs) {
  const own = join(inputs.workspace, 'node_modules');
  if (inputs.version === '' && existsSync(join(own, ...COMMAND))) return own;
  const folder = join(inputs.temporary, 'cloudjar-package');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const wanted = packageToInstall(inputs);
  say(`installing ${wanted}`);
  await npm(['install', '--no-save', '--no-package-lock', '--prefix', folder, wanted], folder);
  return join(folder, 'node_modules');
}

/**
 * @param {string} command
 * @param {import('./lib/action-plan.mjs').Inputs} inputs
 */
async function restore(command, { snapshot, data, waitMs }) {
  const name = 'action';
  await run(command, ['snapshot', 'import', snapshot, name, '--data', data], waitMs);
  await run(command, ['snapshot', 'restore', name, '--data', data], waitMs);
}

/**
 * Runs the command and resolves to its output.
 * @param {string} command
 * @param {string[]} args
 * @param {number} withinMs
 * @returns {Promise<string>}
 */
function run(command, args, withinMs) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    const what = `cloudjar ${args[0]}`;
    let output = '';
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new SetupError(`${what} did not finish within ${withinMs / 1000} seconds (input wait)`));
    }, withinMs);
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    child.stderr.pipe(process.stderr, { end: false });
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(output);
      else reject(new SetupError(`${what} failed with status ${code}`));
    });
  });
}

/**
 * Node reads only one extra file of CA certificates: if the job already has one, a new file contains both.
 * @param {string} ca
 * @param {string} temporary
 */
function trustedFile(ca, temporary) {
  const present = process.env.NODE_EXTRA_CA_CERTS;
  if (!present || present === ca || !existsSync(present)) return ca;
  const both = join(temporary, 'cloudjar-trusted.pem');
  const certificates = [present, ca].map((file) => readFileSync(file, 'utf8').trim());
  writeFileSync(both, `${certificates.join('\n')}\n`);
  return both;
}

/**
 * @param {'GITHUB_ENV' | 'GITHUB_OUTPUT'} where
 * @param {Readonly<Record<string, string>>} values
 */
function tell(where, values) {
  appendFileSync(fileOf(where), fileCommands(values, randomUUID()));
}

/** @param {'GITHUB_ENV' | 'GITHUB_OUTPUT' | 'GITHUB_PATH'} where */
function fileOf(where) {
  const file = process.env[where];
  if (!file) throw new SetupError(`${where} is not set: this runs as a step of GitHub Actions`);
  return file;
}
