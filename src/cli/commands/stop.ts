import type { Command } from 'commander';
import { CliError } from '../errors.ts';
import { type FoundJar, findJar } from '../find-jar.ts';
import { addJarOptions, type JarCommandOptions, print } from '../jar-command.ts';
import { type RunningJarFile, runningJars } from '../running.ts';
import { type Stopped, stopAtAddress, stopProcess } from '../stop.ts';

const EXAMPLES = `
The jar finishes running requests and keeps its state. If no jar runs, the command says so and exits with
status 0, so that scripts can call it at any time.

Examples:
  $ cloudjar stop
  $ cloudjar stop --all
  $ cloudjar stop --url http://127.0.0.1:7400`;

interface StopOptions extends JarCommandOptions {
  readonly all?: boolean;
}

export function declare(program: Command): void {
  addJarOptions(program.command('stop'))
    .description("stop this folder's jar, and wait until it has ended")
    .option('--all', 'stop every jar that runs on the data folder')
    .addHelpText('after', EXAMPLES)
    .action(async (options: StopOptions) => {
      const jar = findJar(options);
      const isOfFolder = jar.source === undefined || jar.source === jar.file?.path;
      const stopped = isOfFolder ? await stopFolder(jar, options) : await stopAtAddress(jar);
      const where = isOfFolder ? `no jar runs in ${jar.folder}` : `no jar answers at ${jar.url}`;
      const lines = stopped.map(({ url, pid }) => `the jar on ${url} (process ${pid}) has stopped`);
      print(options, { stopped }, lines.length === 0 ? where : lines.join('\n'));
    });
}

async function stopFolder(jar: FoundJar, { all = false }: StopOptions): Promise<Stopped[]> {
  const found = await runningJars(jar.folder);
  if (found.length > 1 && !all) throw severalRun(jar, found);
  const stopped: Stopped[] = [];
  for (const each of found) stopped.push(await stopProcess(jar, each));
  return stopped;
}

function severalRun({ folder }: FoundJar, found: readonly RunningJarFile[]): Error {
  const places = found.map(({ file: { url } }) => url).join(', ');
  return new CliError(`${found.length} jars run on ${folder}: stop all with --all, or one with --url (${places})`);
}
