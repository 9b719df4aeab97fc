import { extname } from 'node:path';
import { usageError } from '../errors.ts';

export type Format = 'csv' | 'ndjson' | 'parquet';

const BY_EXTENSION: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.parquet': 'parquet',
};

const FORMATS: readonly string[] = ['csv', 'ndjson', 'parquet'] satisfies Format[];

/** The format from --format, else from the file name. */
export function formatOf(file: string, given: string | undefined): Format {
  if (given !== undefined) {
    const format = given.toLowerCase() === 'jsonl' ? 'ndjson' : given.toLowerCase();
    if (isFormat(format)) return format;
    throw usageError(`--format must be csv, ndjson or parquet, not '${given}'`);
  }
  const found = BY_EXTENSION[extname(file).toLowerCase()];
  if (found) return found;
  const what =
    file === '-' ? 'standard input and output have no file name' : `the name ${file} does not tell the format`;
  throw usageError(`${what}; add --format csv, ndjson or parquet`);
}

const isFormat = (format: string): format is Format => FORMATS.includes(format);

/** The usual delimiter of a file of this name. */
export const defaultDelimiter = (file: string): string => (extname(file).toLowerCase() === '.tsv' ? '\t' : ',');
