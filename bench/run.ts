// npm run bench -- [case…] [--quick] [--json] [--write]
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CASES } from './cases/index.ts';
import type { Case, Comparison } from './lib/case.ts';
import { describeMachine } from './lib/machine.ts';
import { markdown, missed, plain, printable, type Report } from './lib/report.ts';
import { writeResults } from './lib/results-file.ts';

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

const known = CASES.map((each) => each.name);
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) fail(`no such case: ${unknown.join(', ')}; there are ${known.join(', ')}`);
if (options.quick && options.write)
  fail('the figures of a quick run must not be recorded: leave out --quick or --write');

const machine = describeMachine();
const measured = `on ${new Date().toISOString().slice(0, 10)} on ${machine}`;
if (!options.json) console.log(`${machine}\n`);

const reports: Report[] = [];
for (const each of CASES.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const report = { case: each, comparisons: await runApart(each) };
  reports.push(report);
  if (!options.json) console.log(printable(report));
}

if (options.json) console.log(JSON.stringify({ machine, reports: reports.map(plain) }, null, 2));
if (options.write)
  writeResults(new Map(reports.map((report) => [report.case.name, markdown(report, measured)])), known);

const misses = missed(reports);
if (!options.json) console.log(misses.length === 0 ? 'all targets are met' : `${misses.length} targets are missed`);
if (misses.length > 0) process.exitCode = 1;

function runApart({ name }: Case): Promise<Comparison[]> {
  const program = fileURLToPath(new URL('lib/case-process.ts', import.meta.url));
  return new Promise((resolve, reject) => {
    const child = fork(program, [name, options.quick ? 'quick' : 'full'], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.once('message', (comparisons) => resolve(comparisons as Comparison[]));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the case ${name} ended with status ${code}`)));
  });
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
