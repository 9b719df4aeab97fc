import { fileURLToPath } from 'node:url';
import { JarError } from '../client/error.ts';
import type { FileAddress } from './jar-types.d.ts';

/** Checks of arguments: JavaScript callers have no compiler to find a misspelt name. */

/** Throws for unknown options: a misspelt `passphrase` would otherwise silently have no effect. */
export function checkNames(call: string, options: unknown, known?: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new JarError(`the options of ${call} must be an object`, { code: 'BadOptions' });
  const unknown = known && Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const message = `${call} has no option '${unknown}'; it has ${known?.join(', ')}`;
  throw new JarError(message, { code: 'UnknownOption', target: unknown });
}

/** The file path of a path or a URL. */
export function pathOf(file: string | FileAddress, target: string): string {
  if (typeof file === 'string' && file !== '') return file;
  const { href } = (file ?? {}) as Partial<FileAddress>;
  if (typeof href === 'string' && href.startsWith('file:')) return fileURLToPath(href);
  throw new JarError(`${target} must be the path of a file, or its URL with file:`, { code: 'BadFile', target });
}

/** The text of a time. Duck-typed, because a date may come from another realm. Invalid times are left to the validation of the setting. */
export function timeText(time: Date | string): string {
  const isDate = typeof time === 'object' && typeof time?.toISOString === 'function';
  return isDate && !Number.isNaN(time.getTime()) ? time.toISOString() : (time as string);
}
