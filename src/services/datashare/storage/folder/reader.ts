import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pause, wallNow } from '../../../../kernel/time/index.ts';
import { storageProblem } from '../problem.ts';
import type { FileReader, StoredFile } from '../types.ts';
import { type Directory, NO_LINK } from './directory.ts';
import { asProblem, isCode, type Subject } from './errors.ts';
import { fileOf, unsettledMs } from './version.ts';

/** O_NONBLOCK: opening must not block if the file was replaced by a pipe. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | NO_LINK;

/** Opens a file of a directory by its base name. */
export async function openReader(
  directory: Directory,
  part: string,
  file: StoredFile,
  account: string,
): Promise<FileReader> {
  const handle = await open(directory.at(part), READ).catch((error) => {
    throw isCode(error, 'ENOENT') ? changed(file) : error;
  });
  try {
    const wait = unsettledMs(await checkVersion(handle, file), wallNow());
    // Until then, a change of the file might not change its version.
    if (wait > 0) {
      await pause(wait);
      await checkVersion(handle, file);
    }
    return new FolderReader(handle, file, { account, name: file.name });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

class FolderReader implements FileReader {
  readonly #handle: FileHandle;
  readonly #file: StoredFile;
  readonly #subject: Subject;

  constructor(handle: FileHandle, file: StoredFile, subject: Subject) {
    this.#handle = handle;
    this.#file = file;
    this.#subject = subject;
  }

  async read(offset: number, into: Uint8Array): Promise<void> {
    try {
      for (let done = 0; done < into.length; ) {
        const { bytesRead } = await this.#handle.read(into, done, into.length - done, offset + done);
        if (bytesRead === 0) throw changed(this.#file);
        done += bytesRead;
      }
      // Checked after the read: any write before the read has changed the version by now.
      await checkVersion(this.#handle, this.#file);
    } catch (error) {
      throw asProblem(error, this.#subject);
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

async function checkVersion(handle: FileHandle, file: StoredFile): Promise<BigIntStats> {
  const stats = await handle.stat({ bigint: true });
  if (!stats.isFile() || fileOf(file.name, stats).version !== file.version) throw changed(file);
  return stats;
}

const changed = ({ name }: StoredFile) => storageProblem('FileChanged', { name });
