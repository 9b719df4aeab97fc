import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE_FOLDER = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;
const LICENCE_FILE = /^(licen[cs]e|notice|copying)(\.|-|$)/i;

/**
 * The folders of the packages that these files belong to.
 * @param {string[]} files relative to the clone, as the bundler names them
 */
export function packagesIn(files) {
  const folders = files.flatMap((file) => PACKAGE_FOLDER.exec(file)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

/**
 * Authors and licences of the packages in the bundle, which it must include.
 * @param {string} base
 * @param {string[]} folders of packages
 */
export function licencesOf(base, folders) {
  const head = 'The files of this folder contain these packages, each under its own licence.\n';
  return [head, ...folders.map((folder) => licenceOf(join(base, folder)))].join(`\n${'-'.repeat(80)}\n\n`);
}

/** @param {string} folder */
function licenceOf(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version, license, homepage = '' } = manifest;
  const texts = readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file))
    .map((file) => `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`);
  const head = `${name} ${version} (${license})${homepage === '' ? '' : `, ${homepage}`}\n`;
  return [head, ...(texts.length > 0 ? texts : makersOf(manifest))].join('');
}

/**
 * For packages without a licence file, at least the authors are named.
 * @param {{ author?: string | { name: string }, contributors?: (string | { name: string })[] }} manifest
 */
function makersOf({ author, contributors = [] }) {
  const makers = [author, ...contributors].flatMap((each) => (typeof each === 'object' ? each.name : (each ?? [])));
  return makers.length === 0 ? [] : [`\nby ${makers.join(', ')}\n`];
}
