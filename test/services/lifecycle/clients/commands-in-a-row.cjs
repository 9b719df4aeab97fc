// Runs commands of the public command-line client one after another in this process: see command-line.ts.
const { dirname, join, sep } = require('node:path');
const { writeSync } = require('node:fs');

const [PROGRAM = '', END = ''] = process.argv.slice(2);
const DIST = join(dirname(dirname(PROGRAM)), 'dist');
const GENERATED = join(DIST, 'util', 'apis') + sep;

process.on('message', async (/** @type {string[]} */ args) => {
  // Its own modules cache options and profile, so they are reloaded to behave like a new process. Modules that they import stay loaded.
  for (const file of Object.keys(require.cache))
    if (file.startsWith(DIST + sep) && !file.startsWith(GENERATED)) delete require.cache[file];
  process.argv = [process.execPath, PROGRAM, ...args];
  const { runner, failed } = require(join(DIST, 'util', 'commandline'));
  const result = await runner(join(DIST, 'commands'))(args);
  if (failed(result)) console.error(`Error: ${result.errorMessage}`);
  writeSync(1, `${END}${failed(result) ? result.errorCode : 0}${END}`);
  writeSync(2, END);
});
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
