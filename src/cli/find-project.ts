import { type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { DEFAULT_FILE, SETTINGS } from '../kernel/config/config.ts';
import { CliError } from './errors.ts';

/** What makes a folder a project: the mark in its data folder, or a configuration file. */
const MARKS = { data: join(SETTINGS.data.default, 'cloudjar.json'), config: DEFAULT_FILE };
/** Of the uppermost folder of a project that is kept in git; in a work tree or a submodule it is a file. */
const REPOSITORY = '.git';

export interface Surroundings {
  readonly cwd: string;
  /** What is looked for: that which nobody has named. */
  readonly wanted: readonly ('data' | 'config')[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The folder whose configuration file and data folder are used where none are named: the working folder, or the next one above it that
 * has either. Without any, the working folder.
 */
export function findProject({ cwd, wanted, env }: Surroundings): string {
  const here = resolve(cwd);
  for (const folder of foldersFrom(here, resolve(env.HOME || env.USERPROFILE || homedir()))) {
    const found = wanted.filter((kind) => statOf(join(folder, MARKS[kind]))?.isFile());
    for (const kind of found) refuseForeign(kind, folder, folder === here, env);
    if (found.length > 0) return folder;
  }
  return here;
}

/**
 * The working folder and those above it that are looked at: up to the git repository, and without the home folder, what is above it and the root of the
 * file system, so that a jar that was once started there is not taken for the jar of every project.
 */
export function foldersFrom(cwd: string, home: string): string[] {
  const folders = [cwd];
  for (let folder = cwd; folder !== home && statOf(join(folder, REPOSITORY)) === undefined; ) {
    folder = dirname(folder);
    if (folder === home || dirname(folder) === folder) break;
    folders.push(folder);
  }
  return folders;
}

/**
 * Whoever may write to a folder above, such as /tmp, could leave a jar there for others to find, with keys and a configuration of their
 * choice. So what another user owns is used only where it is named. Root may use what is in the working folder itself, as in a container
 * that has a project mounted; files of the user who called sudo are that user's own.
 */
function refuseForeign(kind: keyof typeof MARKS, folder: string, isHere: boolean, env: Surroundings['env']): void {
  const user = process.getuid?.();
  const owner = statOf(join(folder, MARKS[kind]))?.uid;
  if (user === undefined || owner === undefined || owner === user) return;
  if (user === 0 && (isHere || String(owner) === env.SUDO_UID)) return;
  const path = join(folder, kind === 'data' ? SETTINGS.data.default : DEFAULT_FILE);
  throw new CliError(`${path} belongs to another user and is not used; name it with --${kind} if it is to be trusted`);
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // Not to be read, as below a folder of somebody else.
    return undefined;
  }
}
