import { mkdir, rmdir } from 'node:fs/promises';
import { Directory } from './directory.ts';
import { isCode } from './errors.ts';

export interface Place {
  readonly root: string;
  readonly byDescriptor: boolean;
}

/** An open directory and its parents up to the root. */
export class DirectoryPath implements AsyncDisposable {
  readonly #open: readonly Directory[];
  readonly #parts: readonly string[];

  constructor(open: readonly Directory[], parts: readonly string[]) {
    this.#open = open;
    this.#parts = parts;
  }

  get directory(): Directory {
    return this.#open.at(-1) as Directory;
  }

  /** Removes empty directories from the last one up, except the first `kept` directories. */
  async prune(kept: number): Promise<void> {
    for (let depth = this.#parts.length; depth > kept; depth--) {
      const [parent, part] = [this.#open[depth - 1] as Directory, this.#parts[depth - 1] as string];
      try {
        await rmdir(parent.at(part));
      } catch (error) {
        if (isCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR')) return;
        throw error;
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await closeAll(this.#open);
  }
}

/** Returns undefined if one of the directories does not exist. `subject` is the file named in error messages. */
export async function findPath(
  { root, byDescriptor }: Place,
  parts: readonly string[],
  subject: string,
): Promise<DirectoryPath | undefined> {
  const first = await Directory.root(root, byDescriptor);
  return first && descend(first, parts, (directory, part) => directory.child(part, subject));
}

/** Creates missing directories. */
export async function ensurePath(place: Place, parts: readonly string[], subject: string): Promise<DirectoryPath> {
  for (;;) {
    const first = await Directory.root(place.root, place.byDescriptor);
    const path = first && (await descend(first, parts, (directory, part) => directory.ensureChild(part, subject)));
    if (path) return path;
    await mkdir(place.root, { recursive: true });
  }
}

async function descend(
  root: Directory,
  parts: readonly string[],
  step: (directory: Directory, part: string) => Promise<Directory | undefined>,
): Promise<DirectoryPath | undefined> {
  const open = [root];
  try {
    for (const part of parts) {
      const next = await step(open.at(-1) as Directory, part);
      if (!next) {
        await closeAll(open);
        return undefined;
      }
      open.push(next);
    }
    return new DirectoryPath(open, parts);
  } catch (error) {
    await closeAll(open);
    throw error;
  }
}

async function closeAll(open: readonly Directory[]): Promise<void> {
  for (const directory of open) await directory.close();
}
