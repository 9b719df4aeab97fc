import type { Command } from 'commander';
import { formatDuration } from '../../kernel/time/duration.ts';
import { controlClient } from '../control-client.ts';
import { CliError } from '../errors.ts';
import { type FoundJar, findJar } from '../find-jar.ts';
import { addJarOptions, type JarCommandOptions, print } from '../jar-command.ts';
import { type JarStatus, type RunningJarFile, runningJars, statusOf } from '../running.ts';

/** The exit status that init scripts and service managers use for a service that does not run. */
export const EXIT_NOT_RUNNING = 3;

const EXAMPLES = `
Exit status: 0 if a jar runs and everything works, 1 if it runs and something does not work,
3 if no jar runs.

Examples:
  $ cloudjar status
  $ cloudjar status --json
  $ cloudjar status --url http://127.0.0.1:7400`;

interface Shown {
  readonly url: string;
  readonly httpsUrl: string;
  readonly status: JarStatus;
}

export function declare(program: Command): void {
  addJarOptions(program.command('status'))
    .description('show whether a jar runs, its address, its start time, and its troubles')
    .addHelpText('after', EXAMPLES)
    .action(async (options: JarCommandOptions) => {
      const jar = findJar(options);
      const isOfFolder = jar.source === undefined || jar.source === jar.file?.path;
      const found = isOfFolder ? await runningJars(jar.folder) : [];
      const shown = isOfFolder ? found.flatMap(ofFile) : await atAddress(jar);
      const silent = found.flatMap(({ file, problem }) => (problem === undefined ? [] : [{ ...file, problem }]));
      if (shown.length === 0 && silent.length === 0) {
        process.exitCode = EXIT_NOT_RUNNING;
        const where = isOfFolder ? `no jar runs in ${jar.folder}` : `no jar answers at ${jar.url}`;
        return print(options, { running: false, url: jar.url, data: isOfFolder ? jar.folder : null, jars: [] }, where);
      }
      const jars = shown.map(({ url, httpsUrl, status }) => ({ url, httpsUrl, ...status }));
      const works = silent.length === 0 && jars.every(({ status }) => status === 'ready');
      if (!works) process.exitCode = 1;
      const hung = silent.map(({ problem }) => problem);
      print(options, { running: true, jars, silent }, [...shown.map(text), ...hung].join('\n\n'));
    });
}

const ofFile = ({ file: { url, httpsUrl }, status }: RunningJarFile): Shown[] =>
  status ? [{ url, httpsUrl, status }] : [];

/** A jar given by its address, on another machine or with an unknown data folder. */
async function atAddress(jar: FoundJar): Promise<Shown[]> {
  const status = await statusOf(jar);
  if (status === 'none') return [];
  if (status === 'silent' || status === 'locked') {
    // The address is no jar, or needs another key; both are reported as by every other command.
    await controlClient(jar).get('/_jar/status');
    throw new CliError(`the server at ${jar.url} is not a jar`);
  }
  const { hostname } = new URL(jar.url);
  return [{ url: jar.url, httpsUrl: `https://${hostname}:${status.httpsPort}`, status }];
}

function text({ url, httpsUrl, status }: Shown): string {
  const { troubles } = status;
  const runningMs = Math.max(0, Date.now() - Date.parse(status.startedAt));
  const rows: [name: string, value: string][] = [
    ['version', status.version],
    ['https', httpsUrl],
    ['process', `${status.pid} on Node ${status.node}`],
    ['since', `${status.startedAt} (${formatDuration(Math.floor(runningMs / 1000) * 1000)})`],
    ['state', `${status.store}${status.data === null ? '' : `, ${status.data}`}`],
    ['clock', `${status.clock}, now ${status.now}`],
    ...Object.entries(status.services),
  ];
  const lines = rows.map(([name, value]) => `  ${name.padEnd(7)}  ${value}`);
  const wrong = troubles.map(({ part, reason }) => `  DEGRADED ${part}: ${reason}`);
  return [`a jar runs on ${url}`, '', ...lines, ...wrong].join('\n');
}
