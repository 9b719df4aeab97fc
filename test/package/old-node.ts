import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { withLock } from '../../scripts/lib/lock.mjs';
import { root } from '../../scripts/lib/paths.mjs';
import { existingFile } from './existing-file.ts';
import { NPM_QUIETLY } from './packed.ts';

const OLDEST = 20;

/** A Node 20: the machine's own if it is one, otherwise from the registry. */
export async function oldNode(): Promise<string> {
  const own = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => existingFile(join(folder, 'node')))
    .find((path) => path !== undefined && majorOf(path) === OLDEST);
  return own === undefined ? withLock('old-node', async () => fetched()) : realpathSync(own);
}

function majorOf(node: string): number {
  return Number(execFileSync(node, ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8' }));
}

function fetched(): string {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(root, 'node_modules', '.cache', 'old-node');
  const path = join(folder, 'node_modules', name, 'bin', 'node');
  if (existingFile(path)) return path;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  execFileSync('npm', ['install', '--no-save', '--prefix', folder, `${name}@${OLDEST}`, ...NPM_QUIETLY], {
    cwd: folder,
  });
  return path;
}
