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
 * can be taken at every start. There are more than a thousand, so it does no more than it must for each.
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
 * In the order of their names, in which Node lists folders; without installed packages.
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
    // Not by `join`, which costs more than the rest.
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
 * Readers see the whole new file or the whole old one.
 * @param {string} file
 * @param {string | Uint8Array} content
 */
export function writeAtomically(file, content) {
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, content);
  renameSync(draft, file);
}
