import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { oldNode } from '../../test/package/old-node.ts';
import { NPM_QUIETLY } from '../../test/package/packed.ts';

/** The environment of a new user: a clone with nothing installed, and Node 20. */
export function cloneInto(folder: string): void {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  for (const file of files.split('\0')) if (file !== '') cpSync(join(root, file), join(folder, file));
}

/** The environment without variables of npm or of this clone. */
export async function newcomersEnvironment(): Promise<NodeJS.ProcessEnv> {
  const foreign = /^(npm_(?!config_(registry|cache)$)|NODE_(COMPILE_CACHE|OPTIONS)|CLOUDJAR_|INIT_CWD)/i;
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(root));
  return { ...Object.fromEntries(kept), PATH: [dirname(await oldNode()), ...path].join(delimiter) };
}

/** Installs these packages into a new project. */
export function npmInstall(folder: string, env: NodeJS.ProcessEnv, packages: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  execFileSync('npm', ['install', '--ignore-scripts', ...packages, ...NPM_QUIETLY], {
    cwd: folder,
    env,
    stdio: 'ignore',
  });
}

export interface Started {
  readonly url: string;
  stop(): Promise<void>;
}

/** Runs `npm start` in a clone until it reports that it is ready. */
export async function npmStart(clone: string, env: NodeJS.ProcessEnv, data: string): Promise<Started> {
  const ports = ['--port', '0', '--https-port', '0', '--smtp-port', '0'];
  const child = spawn('npm', ['start', '--', ...ports, '--data', data], { cwd: clone, env, detached: true });
  let printed = '';
  child.stderr.on('data', (text) => {
    printed += text;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      printed += text;
      const [, ready] = /^cloudjar ready on (\S+)$/m.exec(printed) ?? [];
      if (ready !== undefined) resolve(ready);
    });
    child.once('exit', () => reject(new Error(`npm start ended:\n${printed}`)));
  });
  return {
    url,
    async stop() {
      // The end of the output rather than of npm, because the jar may end after npm and still write.
      const ended = once(child, 'close');
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      await ended;
    },
  };
}

export function megabytesBelow(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0) / 1e6;
}
