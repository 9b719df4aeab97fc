// Runs command lines one after another in this process, each as in its own process: see test/support/command-host.ts.
import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [MAIN = '', END = ''] = process.argv.slice(2);
const STDOUT = 1;
const STDERR = 2;

class Exit extends Error {}

process.exit = (code) => {
  process.exitCode = code ?? 0;
  throw new Exit();
};
// Every run adds a listener.
process.stdout.setMaxListeners(0);

let runs = 0;

/** @param {import('./cli.ts').Command} command */
async function run({ args, env, cwd }) {
  process.argv = [process.execPath, MAIN, ...args];
  process.env = env;
  process.chdir(cwd);
  process.exitCode = undefined;
  try {
    // The entry runs when it is loaded. Each query string makes it a new module; its imports are loaded once.
    await import(`${pathToFileURL(MAIN)}?${++runs}`);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
  }
  writeSync(STDOUT, `${END}${process.exitCode ?? 0}${END}`);
  writeSync(STDERR, END);
}

process.on('message', run);
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
