import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * @typedef {object} OneStart
 * @property {string[]} setUp set-up steps that the scripts reported
 * @property {unknown} status health of the jar
 * @property {boolean} closed whether the jar closed its resources before it ended
 */

/**
 * Ways to end `npm start`: Ctrl-C signals every process of the terminal; other programs signal only the process that they started, which is
 * npm.
 */
const ENDS = {
  /** @param {number} pid */
  ctrlC: (pid) => process.kill(-pid, 'SIGINT'),
  /** @param {number} pid */
  killOfNpm: (pid) => process.kill(pid, 'SIGTERM'),
};

/**
 * Runs `npm start` in a clone until the jar has answered, and then ends it.
 * @param {string} clone
 * @param {import('node:child_process').SpawnOptionsWithoutStdio} options
 * @param {{ end: keyof typeof ENDS, args?: string[] }} how
 * @returns {Promise<OneStart>}
 */
export async function startOnce(clone, options, { end, args = [] }) {
  const ports = ['--port', '0', '--https-port', '0', '--smtp-port', '0'];
  const child = spawn('npm', ['start', '--', '--json', ...ports, ...args], { ...options, cwd: clone, detached: true });
  const printed = { stdout: '', stderr: '' };
  // The end of the output rather than of npm, because the jar may end after npm.
  const ended = once(child, 'close');
  try {
    child.stderr.setEncoding('utf8').on('data', (text) => {
      printed.stderr += text;
    });
    const url = await new Promise((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', (text) => {
        printed.stdout += text;
        const ready = /^{"event":"ready","url":"([^"]+)"/m.exec(printed.stdout);
        if (ready) resolve(ready[1]);
      });
      ended.then(() => reject(new Error(`npm start ended early:\n${printed.stdout}\n${printed.stderr}`)), reject);
    });
    const { status } = /** @type {{ status: unknown }} */ (await (await fetch(`${url}/_jar/health`)).json());
    if (child.pid) ENDS[end](child.pid);
    await ended;
    const setUp = printed.stderr.split('\n').filter((line) => line.startsWith('cloudjar: '));
    return { setUp, status, closed: printed.stdout.includes('{"event":"stopped"}') };
  } finally {
    killGroup(child.pid);
  }
}

/**
 * Kills processes that are still running after a failure.
 * @param {number | undefined} pid
 */
function killGroup(pid) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}
