import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { LogStream } from '../kernel/telemetry/log.ts';

/** The log of jars in the background, and its previous file after a rotation. */
export const LOG_FILE = 'jar.log';
export const OLDER_LOG_FILE = 'jar.log.1';

/** With the previous file, the log takes up to twice this size. */
const MOST_BYTES = 10 * 1024 * 1024;

export const logPath = (folder: string): string => join(folder, LOG_FILE);

/**
 * Appends lines to the log of a data folder. The file is opened with the first line: by then the jar has locked the folder, so a folder
 * that belongs to something else stays untouched. Writes are synchronous, so that the last line of a killed jar is not lost.
 */
export class LogFile implements LogStream {
  readonly #folder: string;
  readonly #mostBytes: number;
  #file: number | undefined;
  #bytes = 0;

  constructor(folder: string, mostBytes: number = MOST_BYTES) {
    this.#folder = folder;
    this.#mostBytes = mostBytes;
  }

  write(line: string): void {
    try {
      // Rotates before a line rather than after it, so that there is always a current log file.
      if (this.#file !== undefined && this.#bytes >= this.#mostBytes) this.#rotate(this.#file);
      const file = this.#opened();
      this.#bytes += writeSync(file, line);
    } catch {
      // A full disk must not end the jar; the next line retries.
    }
  }

  #opened(): number {
    if (this.#file === undefined) {
      this.#file = openSync(logPath(this.#folder), 'a', 0o600);
      this.#bytes = fstatSync(this.#file).size;
    }
    return this.#file;
  }

  #rotate(file: number): void {
    closeSync(file);
    this.#file = undefined;
    renameSync(logPath(this.#folder), join(this.#folder, OLDER_LOG_FILE));
  }
}
