import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineContext } from '../context.ts';

/**
 * Docker gets the profile itself, Podman the name of a file. The file must exist until the container has started; if a crash comes between
 * creation and start, until the jar has started again.
 */
export class SeccompProfiles {
  readonly #context: EngineContext;
  #folder: Promise<string> | undefined;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  async file(profile: string): Promise<string> {
    this.#folder ??= this.#makeFolder();
    const file = join(await this.#folder, `${createHash('sha256').update(profile).digest('hex')}.json`);
    await writeFile(file, profile, { mode: 0o600 });
    return file;
  }

  async close(): Promise<void> {
    if (this.#folder && this.#context.lifetime === 'process') await rm(await this.#folder, { recursive: true });
  }

  async #makeFolder(): Promise<string> {
    if (this.#context.lifetime === 'process') return mkdtemp(join(tmpdir(), 'cloudjar-seccomp-'));
    const folder = join(this.#context.jar.config.data, 'seccomp');
    await mkdir(folder, { recursive: true });
    return folder;
  }
}
