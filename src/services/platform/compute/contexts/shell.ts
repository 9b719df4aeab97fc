import { simulate } from '../../../../kernel/engines/index.ts';
import type { CommandResult } from '../collections.ts';
import type { CommandOutcome, CommandRequest } from './run-command.ts';

/** Maximum total size of a context's files. */
const MOST_FILE_CHARACTERS = 1_000_000;
/** Maximum length of a result. */
const MOST_CHARACTERS = 64 * 1024;

/** Runs a `%sh` command. Its files are available to the next command of the context. */
export function runShell({ context, command, startedAt }: CommandRequest): CommandOutcome {
  const run = simulate({
    command: ['sh', '-c', command.replace(/^\s*%sh\b(?:[ \t]+-e\b)?/, '')],
    startedAt,
    environment: { HOME: '/root', PATH: '/usr/local/bin:/usr/bin:/bin', DB_CLUSTER_ID: context.clusterId },
    files: context.files,
    hostname: context.clusterId,
    interactive: true,
  });
  const { end } = run;
  const written = run
    .output(MOST_CHARACTERS)
    .map(({ text }) => text)
    .join('');
  const output = written.slice(0, MOST_CHARACTERS);
  const truncated = written.length > MOST_CHARACTERS;
  const files = run.files();
  const kept = sizeOf(files) <= MOST_FILE_CHARACTERS ? { files } : {};
  const text: CommandResult = { resultType: 'text', data: output, ...(truncated && { truncated }) };
  if (!end) return { result: text };
  const failed: CommandResult = {
    resultType: 'error',
    summary: `<span class="ansi-red-fg">The previous command exited with status ${end.exitCode}.</span>`,
    cause: output === '' ? `exit status ${end.exitCode}` : output,
  };
  if (!('files' in kept))
    return { result: { resultType: 'error', summary: 'No space left on device', cause: output }, endsAt: end.at };
  return { result: end.exitCode === 0 ? text : failed, endsAt: end.at, ...kept };
}

const sizeOf = (files: Readonly<Record<string, string>>): number =>
  Object.entries(files).reduce((sum, [path, content]) => sum + path.length + content.length, 0);
