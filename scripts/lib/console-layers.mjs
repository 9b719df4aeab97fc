import { sep } from 'node:path';
import { readImports } from './imports.mjs';

const LONG_FILE_LINES = 300;

/**
 * Checks the structure of console/src: a page imports only its own folder and what is shared, and what is shared knows neither the pages
 * nor the frame.
 * @param {string} src
 * @returns {{ errors: string[], warnings: string[] }}
 */
export function checkConsoleLayers(src) {
  const errors = [];
  const warnings = [];
  for (const [path, { text, imports }] of readImports(src)) {
    for (const { line, target } of imports) {
      const problem = crossing(path, target);
      if (problem) errors.push(`console/src/${path}:${line}: ${problem}`);
    }
    const lines = text.split('\n').length - 1;
    if (lines > LONG_FILE_LINES && !path.split(sep).includes('generated')) {
      warnings.push(
        `console/src/${path}: ${lines} lines; a file of more than ${LONG_FILE_LINES} lines should be split`,
      );
    }
  }
  return { errors, warnings };
}

/**
 * @param {string} from a file, relative to console/src
 * @param {string} to the imported file, relative to console/src
 */
function crossing(from, to) {
  const [layer, folder] = from.split(sep);
  const [targetLayer, targetFolder] = to.split(sep);
  if (layer === 'shared' && targetLayer !== 'shared') return `shared code imports console/src/${to}`;
  if (layer !== 'pages') return undefined;
  if (targetLayer === 'shared' || (targetLayer === 'pages' && targetFolder === folder)) return undefined;
  return `the page ${folder} imports console/src/${to}; pages import only what is shared`;
}
