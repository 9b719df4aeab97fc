import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const REEXPORT = /^export (?:type )?\* from '(\.[^']+)';\n/gm;
const IMPORT = /^import type \{[^}]*\} from '(\.[^']+)';\n/gm;

/**
 * One declaration file out of an entry and the files that it names, each of them once. They are written by hand and by these rules, so that
 * putting them one behind the other is all there is to it: relative imports of types, `export * from`, and no name twice.
 * @param {string} entry
 */
export function rollUp(entry) {
  /** @type {Map<string, string>} */
  const parts = new Map();
  collect(entry, parts);
  const text = [...parts.values()].map((part) => part.trim()).filter((part) => part !== '');
  refuseTwins(text, entry);
  // A file without a single import or export would declare its names for everybody.
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
  // After those that it names, which a reader then meets first.
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
