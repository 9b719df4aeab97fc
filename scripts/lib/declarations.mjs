import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const REEXPORT = /^export (?:type )?\* from '(\.[^']+)';\n/gm;
const IMPORT = /^import type \{[^}]*\} from '(\.[^']+)';\n/gm;

/**
 * Bundles an entry and the declaration files that it refers to into one file, each once. The files are hand-written under rules that make
 * concatenation sufficient: relative type imports, `export * from`, and no name twice.
 * @param {string} entry
 */
export function rollUp(entry) {
  /** @type {Map<string, string>} */
  const parts = new Map();
  collect(entry, parts);
  const text = [...parts.values()].map((part) => part.trim()).filter((part) => part !== '');
  refuseTwins(text, entry);
  // A file without any import or export would declare its names globally.
  return `${text.join('\n\n')}\n\nexport {};\n`;
}

/**
 * @param {string} file
 * @param {Map<string, string>} parts
 */
function collect(file, parts) {
  if (parts.has(file)) return;
  const source = readFileSync(file, 'utf8');
  parts.set(file, '');
  for (const [, target = ''] of [...source.matchAll(IMPORT), ...source.matchAll(REEXPORT)]) {
    collect(join(dirname(file), target), parts);
  }
  // Placed after the files that it refers to.
  parts.delete(file);
  parts.set(file, source.replace(IMPORT, '').replace(REEXPORT, ''));
}

/**
 * @param {string[]} parts
 * @param {string} entry
 */
function refuseTwins(parts, entry) {
  const names = parts.flatMap((part) =>
    [...part.matchAll(/^(?:export )?(?:interface|type|class|function) (\w+)/gm)].map(([, name = '']) => name),
  );
  const twin = names.find((name, at) => names.indexOf(name) !== at);
  if (twin !== undefined) throw new Error(`the declarations of ${entry} have the name ${twin} twice`);
}
