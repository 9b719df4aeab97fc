import { type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { DEFAULT_FILE, SETTINGS } from '../kernel/config/config.ts';
import { CliError } from './errors.ts';

/** Files that mark a folder as a project: the marker in its data folder, or a configuration file. */
const MARKS = { data: join(SETTINGS.data.default, 'cloudjar.json'), config: DEFAULT_FILE };
/** Marks the root folder of a git repository; in a worktree or a submodule it is a file. */
const REPOSITORY = '.git';

export interface Surroundings {
  readonly cwd: string;
  /** What to search for: the settings that the command line does not name. */
  readonly wanted: readonly ('data' | 'config')[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The folder whose configuration file and data folder are used by default: the working folder, or the nearest folder above it that has
 * either. If none has, the working folder.
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
 * The working folder and the folders above it that are searched: up to the git repository, but not the home folder, the folders above it or
 * the root of the file system. Otherwise a jar that was once started there would be taken for the jar of every project.
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
 * A user who can write to a folder above, such as /tmp, could leave a jar there with keys and a configuration of their choice. So files of
 * another user are used only if they are named explicitly. Root may use files in the working folder itself, as in a container with a
 * mounted project. With sudo, files of the user who called it count as own files.
 */
function refuseForeign(kind: keyof typeof MARKS, folder: string, isHere: boolean, env: Surroundings['env']): void {
  const user = process.getuid?.();
  const owner = statOf(join(folder, MARKS[kind]))?.uid;
  if (user === undefined || owner === undefined || owner === user) return;
  if (user === 0 && (isHere || String(owner) === env.SUDO_UID)) return;
  const path = join(folder, kind === 'data' ? SETTINGS.data.default : DEFAULT_FILE);
  throw new CliError(`${path} belongs to another user and is not used; if you trust it, give it with --${kind}`);
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // Not readable, for example below another user's folder.
    return undefined;
  }
}
