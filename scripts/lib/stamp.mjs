import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A digest of what the files say.
 * @param {string[]} files
 */
export function contentStamp(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readOrEmpty(file)).update('\0');
  return hash.digest('hex');
}

/**
 * A digest of path, size and modification time of every file below the inputs: it opens none of them, so that it
 * can be taken at every start.
 * @param {string} base
 * @param {string[]} inputs files or folders, relative to base
 */
export function statStamp(base, inputs) {
  let facts = '';
  for (const input of inputs) {
    for (const file of filesBelow(join(base, input))) {
      const { size, mtimeMs } = statSync(file);
      facts += `${file.slice(base.length)}\0${size}\0${mtimeMs}\n`;
    }
  }
  return createHash('sha256').update(facts).digest('hex');
}

/**
 * @param {string} path
 * @returns {string[]}
 */
export function filesBelow(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return [];
  if (!stats.isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(path, entry.name)) : [join(path, entry.name)]));
}

/** @param {string} file */
export function readOrEmpty(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Readers see the whole new file or the whole old one.
 * @param {string} file
 * @param {string | Uint8Array} content
 */
export function writeAtomically(file, content) {
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, content);
  renameSync(draft, file);
}
