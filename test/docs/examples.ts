import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Block {
  readonly language: string;
  readonly code: string;
  /** True if the block is preceded by the comment that marks it to be run. */
  readonly marked: boolean;
}

/** The fenced blocks of a page. */
export async function blocksOf(page: string): Promise<Block[]> {
  const text = await readFile(join(root, page), 'utf8');
  return [...text.matchAll(/(<!-- run -->\n)?^```(\w*)\n([\s\S]*?)^```$/gm)].map(
    ([, mark, language = '', code = '']) => ({
      language,
      code,
      marked: mark !== undefined,
    }),
  );
}

/** Runs TypeScript inside the package, so that it finds `cloudjar/testing` and the SDKs like a user's program. */
export async function runTypeScript(code: string, env: Record<string, string> = {}): Promise<string> {
  const folder = join(root, 'dist');
  await mkdir(folder, { recursive: true });
  const file = join(folder, `example-${process.pid}-${crypto.randomUUID()}.mts`);
  await writeFile(file, code);
  try {
    const { stdout } = await run(process.execPath, [file], {
      env: { ...common(), ...env },
      timeout: 600_000,
    });
    return stdout;
  } finally {
    await rm(file);
  }
}

/** Runs shell code in which `npx cloudjar` is this package's own command. */
export async function runShell(code: string, env: Record<string, string> = {}, cwd?: string): Promise<string> {
  const command = `"${process.execPath}" "${join(root, 'bin/cloudjar.mjs')}"`;
  const script = `set -e\n${code.replaceAll('npx cloudjar', command)}`;
  const { stdout } = await run('sh', ['-c', script], {
    env: { ...common(), ...env },
    cwd,
    timeout: 600_000,
  });
  return stdout;
}

/** A reader's environment, with the compile cache of the run, because the examples load the same clients repeatedly. */
function common(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
}
