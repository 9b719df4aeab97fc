import { type ExecFileException, execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { NPM_QUIETLY, packedTarball } from './packed.ts';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A user's project outside the clone, with the packed package installed. */
export interface Project {
  readonly folder: string;
  /** Runs a program in the project (or a folder of it), with an environment without settings of the clone. */
  run(command: string, args: readonly string[], env?: Readonly<Record<string, string>>, cwd?: string): Promise<Ended>;
  write(files: Readonly<Record<string, string>>): void;
  remove(): void;
}

export interface ProjectOptions {
  readonly files?: Readonly<Record<string, string>>;
  /** Additional packages from the registry, such as `jest@30`. */
  readonly packages?: readonly string[];
}

export async function makeProject({ files = {}, packages = [] }: ProjectOptions = {}): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'cloudjar-project-'));
  const project: Project = {
    folder,
    run: (command, args, env = {}, cwd = folder) => runIn(cwd, command, args, env),
    write(contents) {
      for (const [name, text] of Object.entries(contents)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
  project.write({ 'package.json': '{ "name": "project", "private": true, "type": "module" }\n', ...files });
  const installed = await project.run('npm', [
    'install',
    '--save-dev',
    await packedTarball(),
    ...packages,
    ...NPM_QUIETLY,
  ]);
  if (installed.code !== 0) throw new Error(`npm install failed:\n${installed.stdout}${installed.stderr}`);
  return project;
}

/** Settings of npm and of the test runner that run this test would change the results. */
const FOREIGN =
  /^(npm_(?!config_(registry|cache)$)|NODE_(COMPILE_CACHE|OPTIONS|ENV)|VITEST|CLOUDJAR_|CI$|INIT_CWD|TEST$)/i;

function runIn(
  cwd: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const kept = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
  // The PATH with the Node that runs the tests, but without the commands of the clone.
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.startsWith(join(root, 'node_modules')));
  const environment = {
    ...Object.fromEntries(kept),
    PATH: [dirname(process.execPath), ...path].join(delimiter),
    ...env,
  };
  return new Promise((resolve) => {
    execFile(command, args, { cwd, env: environment, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      const { code } = (error ?? { code: 0 }) as ExecFileException;
      resolve({ code: typeof code === 'number' ? code : 1, stdout, stderr });
    });
  });
}
