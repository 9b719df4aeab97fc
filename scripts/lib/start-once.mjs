import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * @typedef {object} OneStart
 * @property {string[]} setUp what the scripts said that they did first
 * @property {unknown} status what the jar said of its health
 * @property {number | null} exitCode
 */

/**
 * Runs `npm start` in a clone until the jar has answered, and ends it as Ctrl-C does.
 * @param {string} clone
 * @param {import('node:child_process').SpawnOptionsWithoutStdio} [options]
 * @param {string[]} [args]
 * @returns {Promise<OneStart>}
 */
export async function startOnce(clone, options = {}, args = []) {
  const child = spawn('npm', ['start', '--', '--port', '0', '--https-port', '0', ...args], {
    ...options,
    cwd: clone,
    detached: true,
  });
  const exit = once(child, 'exit');
  const printed = { stdout: '', stderr: '' };
  try {
    child.stderr.setEncoding('utf8').on('data', (text) => {
      printed.stderr += text;
    });
    const url = await new Promise((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', (text) => {
        printed.stdout += text;
        const ready = /^cloudjar ready on (http:\/\/\S+)$/m.exec(printed.stdout);
        if (ready) resolve(ready[1]);
      });
      exit.then(() => reject(new Error(`npm start ended early:\n${printed.stdout}\n${printed.stderr}`)), reject);
    });
    const { status } = /** @type {{ status: unknown }} */ (await (await fetch(`${url}/_jar/health`)).json());
    child.kill('SIGTERM');
    const [exitCode] = await exit;
    return { setUp: printed.stderr.split('\n').filter((line) => line.startsWith('cloudjar: ')), status, exitCode };
  } finally {
    // Whatever it has started, where it did not come to its end.
    if (child.pid && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL');
  }
}
