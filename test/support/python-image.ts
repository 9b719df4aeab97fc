import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { EngineClient } from '../../src/kernel/engines/docker/client.ts';

const run = promisify(execFile);

/** Debian's own Python; another Python earlier in the PATH may differ. */
const SYSTEM_PYTHON = '/usr/bin/python3';
const SHELL = '/bin/busybox';
const LEFT_OUT = ['__pycache__', 'test', 'dist-packages', 'config-*', 'ensurepip', 'idlelib', 'lib2to3', 'pydoc_data'];

/** An image with Python and a shell from this machine's files, without a registry. */
export async function importPythonImage(engine: EngineClient, repository: string): Promise<void> {
  const binary = await realpath(SYSTEM_PYTHON);
  const { stdout } = await run('ldd', [binary]);
  const libraries = [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path as string);
  const version = binary.slice(binary.lastIndexOf('/') + 1);
  const root = await mkdtemp(join(tmpdir(), 'cloudjar-python-'));
  try {
    for (const path of [...libraries, binary, SHELL]) {
      await mkdir(join(root, dirname(path)), { recursive: true });
      await run('cp', ['-L', path, join(root, path)]);
    }
    await mkdir(join(root, 'bin'), { recursive: true });
    await run('ln', ['-s', 'busybox', join(root, 'bin/sh')]);
    await run('ln', ['-sf', version, join(root, SYSTEM_PYTHON)]);
    for (const name of ['tmp', 'proc', 'sys', 'dev', 'etc', 'usr/lib'])
      await mkdir(join(root, name), { recursive: true });
    const excluded = LEFT_OUT.map((name) => `--exclude=${name}`);
    const archive = join(root, 'image.tar');
    await run('tar', [
      '-cf',
      archive,
      ...excluded,
      '-C',
      '/',
      `usr/lib/${version}`,
      '-C',
      root,
      ...(await partsOf(root)),
    ]);
    const query = { fromSrc: '-', repo: repository };
    await engine.text('POST', '/images/create', { query, bytes: await readFile(archive), answerMs: 0 });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const partsOf = async (root: string): Promise<readonly string[]> =>
  (await readdir(root)).filter((name) => name !== 'image.tar');
