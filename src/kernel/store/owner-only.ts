import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';

const OWNER_ONLY = 0o600;

/**
 * Creates the file of a database that is about to be opened, readable by its owner only, whatever the permissions of the folder: documents
 * contain user data. SQLite gives the files beside it the same permissions; those that exist already get them here.
 */
export function createOwnerOnly(file: string): void {
  try {
    closeSync(openSync(file, 'a', OWNER_ONLY));
  } catch {
    // Opening the database reports the error.
    return;
  }
  for (const each of [file, `${file}-wal`, `${file}-shm`]) chmodToOwner(each);
}

/** Does not open the file: closing a handle to it would release its locks. */
export function chmodToOwner(file: string): void {
  try {
    if (existsSync(file)) chmodSync(file, OWNER_ONLY);
  } catch {
    // The file belongs to another user, or the file system has no permissions.
  }
}
