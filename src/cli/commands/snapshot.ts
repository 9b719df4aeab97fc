import { basename } from 'node:path';
import type { Command } from 'commander';
import { didYouMean } from '../../kernel/config/config.ts';
import { usageError } from '../errors.ts';
import { addJarOptions, connect, type JarCommandOptions, print } from '../jar-command.ts';
import { pathSegment } from '../path-segment.ts';
import { download, upload } from '../transfer.ts';

const EXAMPLES = `
Examples:
  $ cloudjar snapshot
  $ cloudjar snapshot save before-the-test
  $ cloudjar snapshot restore before-the-test
  $ cloudjar snapshot export before-the-test state.cloudjar.gz
  $ cloudjar snapshot import state.cloudjar.gz`;

const ACTIONS = ['save', 'restore', 'delete', 'export', 'import'];
/** What an exported file is called unless somebody says otherwise. */
const SUFFIX = /(\.cloudjar)?(\.gz)?$/;

interface SnapshotAnswer {
  readonly name: string;
  readonly takenAt: string;
  readonly sizes: { readonly stored: number };
  readonly counts: { readonly documents: number; readonly work: number };
}

export function declare(program: Command): void {
  const snapshot = addJarOptions(program.command('snapshot'))
    .description('keep all state under a name, and go back to it')
    .addHelpText('after', EXAMPLES)
    .allowExcessArguments()
    .action(async (options: JarCommandOptions, { args: [unknown] }: Command) => {
      if (unknown !== undefined) throw unknownAction(unknown);
      const answer = await connect(options).list<SnapshotAnswer>('/_jar/snapshots');
      print(options, answer, answer.value.length === 0 ? 'there are no snapshots' : answer.value.map(line).join('\n'));
    });

  action(snapshot, 'save', 'keep all state, and the time, under a name; the jar goes on meanwhile')
    .argument('<name>', '1 to 64 letters, digits, "-", "_" or "."; one of that name is replaced')
    .action(async (name: string, _own: unknown, command: Command) => {
      const options = command.optsWithGlobals<JarCommandOptions>();
      const answer = (await connect(options).put(pathOf(name))) as SnapshotAnswer;
      print(options, answer, line(answer));
    });

  action(snapshot, 'restore', 'replace all state, and the time, by those of a snapshot')
    .argument('<name>', 'the snapshot')
    .action(async (name: string, _own: unknown, command: Command) => {
      const options = command.optsWithGlobals<JarCommandOptions>();
      const answer = (await connect(options).post(`${pathOf(name)}/restore`)) as { now: string; warnings: string[] };
      print(options, answer, withWarnings(`back to ${name}; it is ${answer.now} in the jar`, answer.warnings));
    });

  action(snapshot, 'delete', 'remove a snapshot')
    .argument('<name>', 'the snapshot')
    .action(async (name: string, _own: unknown, command: Command) => {
      const options = command.optsWithGlobals<JarCommandOptions>();
      await connect(options).delete(pathOf(name));
      print(options, { deleted: name }, `${name} is deleted`);
    });

  action(snapshot, 'export', 'write a snapshot to a file, for another jar with the same secret key')
    .argument('<name>', 'the snapshot')
    .argument('[file]', 'where to (default: NAME.cloudjar.gz)')
    .action(async (name: string, file: string | undefined, _own: unknown, command: Command) => {
      const options = command.optsWithGlobals<JarCommandOptions>();
      const client = connect(options);
      const { sizes } = (await client.get(pathOf(name))) as SnapshotAnswer;
      const target = file ?? `${name}.cloudjar.gz`;
      const bytes = await download(client.jar, `${pathOf(name)}/content`, target, sizes.stored, process.stderr);
      print(options, { name, file: target, bytes }, `${name} is in ${target} (${size(bytes)})`);
    });

  action(snapshot, 'import', 'make a snapshot out of a file; restore it to use it')
    .argument('<file>', 'a file that export has written')
    .argument('[name]', 'what to call it (default: the name of the file)')
    .action(async (file: string, given: string | undefined, _own: unknown, command: Command) => {
      const options = command.optsWithGlobals<JarCommandOptions>();
      const name = given ?? basename(file).replace(SUFFIX, '');
      const answer = (await upload(
        connect(options).jar,
        `${pathOf(name)}/content`,
        file,
        process.stderr,
      )) as SnapshotAnswer & { warnings: string[] };
      print(options, answer, withWarnings(line(answer), answer.warnings));
    });
}

function action(parent: Command, name: string, description: string): Command {
  return addJarOptions(parent.command(name)).allowExcessArguments(false).description(description);
}

const pathOf = (name: string): string => `/_jar/snapshots/${pathSegment(name, 'name of the snapshot')}`;

function line({ name, takenAt, sizes, counts }: SnapshotAnswer): string {
  const work = counts.work === 0 ? '' : `, ${counts.work} due`;
  return `${name}  ${takenAt}  ${counts.documents} documents${work}  ${size(sizes.stored)}`;
}

const withWarnings = (text: string, warnings: readonly string[]): string =>
  [text, ...warnings.map((warning) => `warning: ${warning}`)].join('\n');

function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${Math.round(kilobytes)} kB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}

function unknownAction(typed: string): Error {
  const near = didYouMean(typed, ACTIONS);
  const hint = near ? `did you mean snapshot ${near}?` : `there are ${ACTIONS.join(', ')}`;
  return usageError(`unknown command 'snapshot ${typed}' (${hint})`);
}
