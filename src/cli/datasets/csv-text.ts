import { usageError } from '../errors.ts';

const SPECIAL = /["\r\n\ufeff]/;

/** A CSV field. Null is an empty field; an empty text is quoted, so that the two differ. */
export function csvField(value: string | null, delimiter: string): string {
  if (value === null) return '';
  const isPlain = value !== '' && !SPECIAL.test(value) && !value.includes(delimiter);
  return isPlain ? value : `"${value.replaceAll('"', '""')}"`;
}

export const csvLine = (values: readonly (string | null)[], delimiter: string): string =>
  `${values.map((value) => csvField(value, delimiter)).join(delimiter)}\n`;

/** Parses the argument: one character, or `tab`. */
export function delimiterArgument(typed: string): string {
  const delimiter = typed === 'tab' || typed === '\\t' ? '\t' : typed;
  if ([...delimiter].length !== 1 || /["\r\n]/.test(delimiter))
    throw usageError(`'${typed}' is not a delimiter; give one character, such as ; or |, or the word tab`);
  return delimiter;
}
