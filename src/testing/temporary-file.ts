import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A file for child processes, written when its path is first asked for. */
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
    // A folder that only this user may enter, under a name that nobody else can have taken.
    const path = join(mkdtempSync(join(tmpdir(), 'cloudjar-')), this.#name);
    writeFileSync(path, this.#content);
    this.#path = path;
    return path;
  }

  remove(): void {
    if (this.#path === undefined) return;
    rmSync(dirname(this.#path), { recursive: true, force: true });
    this.#path = undefined;
  }
}
