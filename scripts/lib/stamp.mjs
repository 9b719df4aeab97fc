import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A digest of the files' contents.
 * @param {string[]} files
 */
export function contentStamp(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readOrEmpty(file)).update('\0');
  return hash.digest('hex');
}

/**
 * A digest of path, size and modification time of every file below the inputs. It opens no file, so that it is cheap enough for every
 * start; there are more than a thousand files, so the work per file is minimal.
 * @param {string} base
 * @param {string[]} inputs files or folders, relative to base
 */
export function statStamp(base, inputs) {
  let facts = '';
  for (const input of inputs) {
    for (const file of filesBelow(join(base, input))) {
      const { size, mtimeMs } = statSync(file);
      facts += `${file.slice(base.length)} ${size} ${mtimeMs}\n`;
    }
  }
  return createHash('sha256').update(facts).digest('hex');
}

/**
 * Ordered by name, which is how Node lists folders; without installed packages.
 * @param {string} path
 * @returns {string[]}
 */
export function filesBelow(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return [];
  /** @type {string[]} */
  const files = [];
  if (stats.isDirectory()) addFiles(path, files);
  else files.push(path);
  return files;
}

/**
 * @param {string} folder
 * @param {string[]} files
 */
function addFiles(folder, files) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    // Not `join`, which costs more than everything else here.
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) files.push(path);
    else if (entry.name !== 'node_modules') addFiles(path, files);
  }
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
 * Writes a file so that readers see either the whole new content or the whole old one.
 * @param {string} file
 * @param {string | Uint8Array} content
 */
export function writeAtomically(file, content) {
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, content);
  renameSync(draft, file);
}
