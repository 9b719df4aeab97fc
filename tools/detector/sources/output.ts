import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTextOf } from './labels.ts';

/** The two folders that every script of this directory gets on its command line. */
export type Folders = { readonly text: string; readonly cache: string };

export const foldersFromArguments = (): Folders => {
  const [text, cache] = process.argv.slice(2);
  if (text === undefined || cache === undefined) {
    console.error('Usage: node <script> <text folder> <cache folder>');
    process.exit(2);
  }
  mkdirSync(text, { recursive: true });
  mkdirSync(cache, { recursive: true });
  return { text, cache };
};

/** Maximum text per label and source; more gives no improvement. */
const MAX_SOURCE_BYTES = 1_500_000;

const tidy = (line: string): string => line.normalize('NFC').replace(/\s+/gu, ' ').trim();

/**
 * Spreads the kept lines over the whole input, by taking every n-th line: the start of a long list is often one subject or one letter of
 * the alphabet.
 */
const takeSpread = (lines: readonly string[], maxBytes: number): string[] => {
  const total = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  if (total <= maxBytes) return [...lines];
  const share = maxBytes / total;
  let credit = 0;
  return lines.filter(() => {
    credit += share;
    if (credit < 1) return false;
    credit -= 1;
    return true;
  });
};

/** Writes `<text>/<label>/<source>.txt`: normalised, unique lines in the label's own script. Returns the number of bytes written. */
export const writeLines = (
  folders: Folders,
  label: string,
  source: string,
  lines: Iterable<string>,
  maxBytes = MAX_SOURCE_BYTES,
): number => {
  const unique = new Set<string>();
  for (const line of lines) {
    const text = tidy(line);
    if (text !== '' && isTextOf(label, text)) unique.add(text);
  }
  const folder = join(folders.text, label);
  const path = join(folder, `${source}.txt`);
  if (unique.size === 0) {
    // An earlier run may have kept lines that are now rejected.
    rmSync(path, { force: true });
    return 0;
  }
  mkdirSync(folder, { recursive: true });
  const content = `${takeSpread([...unique], maxBytes).join('\n')}\n`;
  writeFileSync(path, content);
  return Buffer.byteLength(content);
};
