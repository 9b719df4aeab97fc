import { storageProblem } from './problem.ts';

/** Account names have 3 to 24 lower-case letters and digits. */
const ACCOUNT = /^[a-z0-9]{3,24}$/;
/** Account names of emulators, allowed only with a configured connection string. */
const CONFIGURED_ACCOUNT = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** 3 to 63 lower-case letters, digits and single hyphens between them, or one of the special containers `$root`, `$web` and `$logs`. */
const CONTAINER = /^(?=.{3,63}$)[a-z0-9]+(?:-[a-z0-9]+)*$|^\$(?:root|web|logs)$/;

const MOST_NAME_CHARACTERS = 1024;
const MOST_PART_BYTES = 255;

/** Reserved on Windows: certain characters, device names with any extension, and a trailing dot or space. */
const NOT_ON_WINDOWS = /[<>:"|?*]|\p{Cc}|[. ]$|^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/iu;

export const isConfigurableAccount = (name: string): boolean => CONFIGURED_ACCOUNT.test(name);

export function checkAccount(name: string): void {
  if (!ACCOUNT.test(name)) throw storageProblem('AccountNameInvalid', { account: name });
}

export function checkContainer(name: string): void {
  if (!CONTAINER.test(name)) throw storageProblem('ContainerNameInvalid', { name });
}

/** The reason why a blob cannot have this name; undefined if it can. */
export function blobNameMistake(name: string): string | undefined {
  if (name === '') return 'it is empty';
  if (name.length > MOST_NAME_CHARACTERS) return `it has more than ${MOST_NAME_CHARACTERS} characters`;
  if (!name.isWellFormed()) return 'it is not well-formed Unicode';
  if (name.includes('\0')) return 'it has a NUL character';
  if (name.includes('\\')) return 'it has a backslash';
  // URLs are normalised in transit, so such a name would address another blob.
  if (name.split('/').some((part) => part === '.' || part === '..')) return "a part of its path is '.' or '..'";
  return undefined;
}

/** The reason why a file in a folder cannot have this name: blob rules plus names with a special meaning in file systems. */
export function fileNameMistake(name: string, platform: NodeJS.Platform = process.platform): string | undefined {
  const mistake = blobNameMistake(name);
  if (mistake !== undefined) return mistake;
  for (const part of name.split('/')) {
    if (part === '') return 'a part of its path is empty';
    if (Buffer.byteLength(part) > MOST_PART_BYTES) return `a part of its path has more than ${MOST_PART_BYTES} bytes`;
    if (platform === 'win32' && NOT_ON_WINDOWS.test(part)) return `Windows does not allow '${part}'`;
  }
  return undefined;
}

export function checkBlobName(name: string): void {
  const reason = blobNameMistake(name);
  if (reason !== undefined) throw storageProblem('FileNameInvalid', { name, reason });
}

/** Returns the parts of the path. */
export function checkFileName(name: string): string[] {
  const reason = fileNameMistake(name);
  if (reason !== undefined) throw storageProblem('FileNameInvalid', { name, reason });
  return name.split('/');
}
