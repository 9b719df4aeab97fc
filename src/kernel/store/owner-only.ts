import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';

const OWNER_ONLY = 0o600;

/**
 * Makes the file of a database that is about to be opened, for its owner alone, whatever the folder lets others do: documents hold what
 * users keep. SQLite gives the files beside it the same rights; those that are there already get them here.
 */
export function keepToOwner(file: string): void {
  try {
    closeSync(openSync(file, 'a', OWNER_ONLY));
  } catch {
    // Opening the database says what is wrong.
    return;
  }
  for (const each of [file, `${file}-wal`, `${file}-shm`]) chmodToOwner(each);
}

/** Without opening the file. */
export function chmodToOwner(file: string): void {
  try {
    if (existsSync(file)) chmodSync(file, OWNER_ONLY);
  } catch {
    // It is another user's, or on a file system that knows no rights.
  }
}
