import { StorageProblem, storageProblem } from '../problem.ts';

/** The file of a failed operation, for the message. */
export interface Subject {
  readonly account: string;
  readonly name: string;
}

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

export const isCode = (error: unknown, ...codes: readonly string[]): boolean => codes.includes(codeOf(error) ?? '');

/** System error messages contain paths of the machine, so only the code is shown. */
export function asProblem(error: unknown, { account, name }: Subject): StorageProblem {
  if (error instanceof StorageProblem) return error;
  const code = codeOf(error);
  const options = { cause: error };
  switch (code) {
    case 'ENOTDIR':
      return storageProblem('PathConflict', { name, reason: 'a folder on its path is a file' }, options);
    case 'EISDIR':
    case 'ENOTEMPTY':
    case 'EEXIST':
      return storageProblem('PathConflict', { name, reason: 'a folder with that name exists' }, options);
    case 'EXDEV':
      // The container is a separate mount, so files cannot be moved there atomically.
      return storageProblem('PathConflict', { name, reason: 'its folder is on another file system' }, options);
    case 'ELOOP':
      return storageProblem('LinkRefused', { name }, options);
    case 'ENAMETOOLONG':
      return storageProblem('FileNameInvalid', { name, reason: 'it is too long' }, options);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return storageProblem('AccessDenied', { account, reason: code }, options);
    case 'ENOSPC':
    case 'EDQUOT':
      return storageProblem('StorageFull', { account }, options);
    default:
      return storageProblem('StorageFailed', { account, reason: code ?? 'unknown error' }, options);
  }
}
