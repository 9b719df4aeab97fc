import { basename } from 'node:path';
import type { Command } from 'commander';
import { didYouMean } from '../../kernel/config/config.ts';
import { countedLine, type LeftOutSecrets, leftOutLine } from '../../kernel/snapshots/left-out-line.ts';
import { RefusedByJar } from '../control-client.ts';
import { usageError } from '../errors.ts';
import { addJarOptions, connect, type JarCommandOptions, print } from '../jar-command.ts';
import { leftOutOf } from '../left-out.ts';
import { askPassphrase, type PassphraseOptions, passphraseHeader, passphraseOf } from '../passphrase.ts';
import { pathSegment } from '../path-segment.ts';
import { declareDiff } from '../snapshot-diff.ts';
import { download, upload } from '../transfer.ts';

const EXAMPLES = `
Examples:
  $ cloudjar snapshot
  $ cloudjar snapshot save before-the-test
  $ cloudjar snapshot restore before-the-test
  $ cloudjar snapshot diff before-the-test
  $ cloudjar snapshot export before-the-test state.cloudjar.gz
  $ cloudjar snapshot export before-the-test state.cloudjar.gz --passphrase-file pass.txt
  $ cloudjar snapshot export before-the-test fixture.cloudjar.gz --portable
  $ cloudjar snapshot import fixture.cloudjar.gz --restore`;

const ACTIONS = ['save', 'restore', 'delete', 'diff', 'export', 'import'];
/** The suffix that is removed from a file name to get the name of its snapshot. */
const SUFFIX = /(\.cloudjar)?(\.gz)?$/;

interface SnapshotAnswer {
  readonly name: string;
  readonly takenAt: string;
  readonly sizes: { readonly stored: number };
  readonly counts: { readonly documents: number; readonly work: number };
}

export function declare(program: Command): void {
  const snapshot = addJarOptions(program.command('snapshot'))
    .description('save and restore all state under a name')
    .addHelpText('after', EXAMPLES)
    .allowExcessArguments()
    .action(async (options: JarCommandOptions, { args: [unknown] }: Command) => {
      if (unknown !== undefined) throw unknownAction(unknown);
      const answer = await connect(options).list<SnapshotAnswer>('/_jar/snapshots');
      print(options, answer, answer.value.length === 0 ? 'there are no snapshots' : answer.value.map(line).join('\n'));
    });

  action(snapshot, 'save', 'save all state and the time under a name; the jar keeps running')
    .argument('<name>', '1 to 64 letters, digits, "-", "_" or "."; replaces a snapshot of that name')
    .action(async (name: string, _own: unknown, command: Command) => {
      const options = command.optsWithGlobals<JarCommandOptions>();
      const answer = (await connect(options).put(pathOf(name))) as SnapshotAnswer;
      print(options, answer, line(answer));
    });

  action(snapshot, 'restore', 'restore all state and the time from a snapshot')
    .argument('<name>', 'the snapshot')
    .action(async (name: string, _own: unknown, command: Command) => {
      const options = command.optsWithGlobals<JarCommandOptions>();
      const answer = (await connect(options).post(`${pathOf(name)}/restore`)) as RestoreAnswer;
      print(options, answer, restoredLine(name, answer));
    });

  action(snapshot, 'delete', 'remove a snapshot')
    .argument('<name>', 'the snapshot')
    .action(async (name: string, _own: unknown, command: Command) => {
      const options = command.optsWithGlobals<JarCommandOptions>();
      await connect(options).delete(pathOf(name));
      print(options, { deleted: name }, `${name} is deleted`);
    });

  declareDiff(action(snapshot, 'diff', 'show what differs between two snapshots, or between a snapshot and now'));

  withPassphrase(action(snapshot, 'export', 'write a snapshot to a file'))
    .argument('<name>', 'the snapshot')
    .argument('[file]', 'where to (default: NAME.cloudjar.gz)')
    .option('--portable', 'leave out all secrets; any jar can open the file')
    .option('--force', 'replace an existing file')
    .action(async (name: string, file: string | undefined, _own: unknown, command: Command) => {
      const options = command.optsWithGlobals<ExportOptions>();
      const { portable = false, force = false } = options;
      if (portable && (options.passphrase ?? options.passphraseFile) !== undefined)
        throw usageError('a file without secrets has nothing to encrypt: give either --portable or a passphrase');
      const headers = passphraseHeader(portable ? undefined : await passphraseOf(options, process.env));
      const client = connect(options);
      const { sizes } = (await client.get(pathOf(name))) as SnapshotAnswer;
      const target = file ?? `${name}.cloudjar.gz`;
      const path = `${pathOf(name)}/content${portable ? '?portable=true' : ''}`;
      // A file without secrets may be readable by others, for example in a shared repository.
      const how = { headers, force, ...(portable && { mode: 0o644 }) };
      const bytes = await download(client.jar, path, target, sizes.stored, process.stderr, how);
      const leftOut = portable ? await leftOutOf(target) : [];
      const without = leftOut.length === 0 ? '' : ', without:';
      const lines = [`${name} is in ${target} (${size(bytes)})${without}`, ...leftOut.map(countedLine)];
      print(options, { name, file: target, bytes, ...(portable && { leftOut }) }, lines.join('\n'));
    });
  withPassphrase(action(snapshot, 'import', 'import a file as a snapshot'))
    .argument('<file>', 'a file written by snapshot export')
    .argument('[name]', 'name of the snapshot (default: the file name)')
    .option('--restore', 'also restore it')
    .action(async (file: string, given: string | undefined, _own: unknown, command: Command) => {
      const options = command.optsWithGlobals<ImportOptions>();
      const name = given ?? basename(file).replace(SUFFIX, '');
      const client = connect(options);
      const send = (passphrase: string | undefined): Promise<unknown> =>
        upload(client.jar, `${pathOf(name)}/content`, file, process.stderr, passphraseHeader(passphrase));
      const answer = (await sendOrAsk(send, await passphraseOf(options, process.env))) as ImportAnswer;
      const lines = [withWarnings(line(answer), answer.warnings), ...answer.leftOut.map(leftOutLine)];
      if (!options.restore) return print(options, answer, lines.join('\n'));
      const restored = (await client.post(`${pathOf(name)}/restore`)) as RestoreAnswer;
      print(options, { ...answer, restored }, [...lines, restoredLine(name, restored)].join('\n'));
    });
}

interface ExportOptions extends JarCommandOptions, PassphraseOptions {
  readonly portable?: boolean;
  readonly force?: boolean;
}

interface ImportOptions extends JarCommandOptions, PassphraseOptions {
  readonly restore?: boolean;
}

interface ImportAnswer extends SnapshotAnswer {
  readonly warnings: readonly string[];
  readonly leftOut: readonly LeftOutSecrets[];
}

interface RestoreAnswer {
  readonly now: string;
  readonly warnings: readonly string[];
}

const withPassphrase = (command: Command): Command =>
  command
    .option(
      '--passphrase [text]',
      'passphrase of the file, which any jar can then open; prompted for if no text follows',
    )
    .option('--passphrase-file <file>', 'a file whose first line is the passphrase (or set CLOUDJAR_PASSPHRASE)');

/** The jar finds out whether a file needs a passphrase; a user at a terminal is then asked for it. */
async function sendOrAsk(
  send: (passphrase: string | undefined) => Promise<unknown>,
  passphrase: string | undefined,
): Promise<unknown> {
  try {
    return await send(passphrase);
  } catch (error) {
    if (!(error instanceof RefusedByJar) || error.code !== 'PassphraseNeeded' || !process.stdin.isTTY) throw error;
    return send(await askPassphrase());
  }
}

const restoredLine = (name: string, { now, warnings }: RestoreAnswer): string =>
  withWarnings(`restored ${name}; the jar's time is ${now}`, warnings);

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
