import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The folder name contains the id of the process that created it. */
const PREFIX = 'cloudjar-env-';
const FOLDER = /^cloudjar-env-(\d+)-/;
/** Processes of other containers may share the temporary folder and are not visible here: their files are kept for a day. */
const KEPT_MS = 86_400_000;

/** A file for child processes, written when its path is first requested. */
export class TemporaryFile {
  readonly #name: string;
  readonly #content: string;
  #path: string | undefined;

  constructor(name: string, content: string) {
    this.#name = name;
    this.#content = content;
  }

  path(): string {
    if (this.#path !== undefined) return this.#path;
    // A folder that only this user may enter, with a name that no other user can have created.
    const path = join(mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`)), this.#name);
    writeFileSync(path, this.#content);
    removeLeftovers(dirname(path));
    this.#path = path;
    return path;
  }

  remove(): void {
    if (this.#path === undefined) return;
    rmSync(dirname(this.#path), { recursive: true, force: true });
    this.#path = undefined;
  }
}

/** Removes folders of killed processes. `own` is used to get the current time, because a test may have replaced `Date`. */
function removeLeftovers(own: string): void {
  const before = statSync(own).mtimeMs - KEPT_MS;
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = FOLDER.exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const folder = join(tmpdir(), name);
    try {
      if (statSync(folder).mtimeMs < before) rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another process has removed it, or it belongs to another user.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
