import { readFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { filesBelow } from './stamp.mjs';

const IMPORT = /^\s*(?:import|export)\b[^'"]*['"](\.{1,2}\/[^'"]+)['"]|\bimport\(\s*['"](\.{1,2}\/[^'"]+)['"]/gm;
const LONG_FILE_LINES = 400;
const HTTP_IMPORT = /^import (?!type\b)[^'"]*from 'node:http'|\bimport\('node:http'\)/m;

/**
 * The shape of src/: a service stands on the kernel and knows no other service, the kernel knows no service, and a
 * file has one idea. Generated files may be long.
 * @param {string} src
 * @returns {{ errors: string[], warnings: string[] }}
 */
export function checkLayers(src) {
  const errors = [];
  const warnings = [];
  for (const file of filesBelow(src)) {
    if (!file.endsWith('.ts')) continue;
    const text = readFileSync(file, 'utf8');
    const path = relative(src, file);
    for (const { line, target } of importsOf(text)) {
      const problem = crossing(path, relative(src, resolve(dirname(file), target)));
      if (problem) errors.push(`src/${path}:${line}: ${problem}`);
    }
    if (HTTP_IMPORT.test(text)) {
      errors.push(
        `src/${path}: an import of node:http loads a whole HTTP client; use nodeHttp of kernel/http/node-http.ts`,
      );
    }
    const lines = text.split('\n').length - 1;
    if (lines > LONG_FILE_LINES && !path.split(sep).includes('generated')) {
      warnings.push(`src/${path}: ${lines} lines; over ${LONG_FILE_LINES}, a file has more than one idea`);
    }
  }
  return { errors, warnings };
}

/** @param {string} text */
function importsOf(text) {
  return Array.from(text.matchAll(IMPORT), (match) => ({
    line: text.slice(0, match.index + match[0].length).split('\n').length,
    target: /** @type {string} */ (match[1] ?? match[2]),
  }));
}

/**
 * @param {string} from a file, relative to src/
 * @param {string} to the imported file, relative to src/
 */
function crossing(from, to) {
  const [layer, service] = from.split(sep);
  const [targetLayer, targetService] = to.split(sep);
  if (layer === 'kernel' && targetLayer !== 'kernel') {
    return `the kernel imports src/${to}; it stands below everything else and may only use itself`;
  }
  if (layer !== 'services' || targetLayer === 'kernel') return undefined;
  if (targetLayer !== 'services') return `a service imports src/${to}; services stand on the kernel alone`;
  if (targetService === service) return undefined;
  return `the ${service} service imports the ${targetService} service; services meet through the kernel's change feed`;
}
