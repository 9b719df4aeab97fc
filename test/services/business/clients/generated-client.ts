import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '../../../..');

export interface GeneratedClient {
  /** The module with the class of the service. */
  readonly module: string;
  remove(): Promise<void>;
}

/**
 * Generates a TypeScript client from a `$metadata` document with a public tool. Inside the project, because the generated code imports
 * packages.
 */
export async function generateClient(metadata: string): Promise<GeneratedClient> {
  await mkdir(join(ROOT, '.cloudjar'), { recursive: true });
  const folder = await mkdtemp(join(ROOT, '.cloudjar/odata-client-'));
  const source = join(folder, 'metadata.xml');
  await writeFile(source, metadata);
  const tool = createRequire(import.meta.url).resolve('@odata2ts/odata2ts/lib/run-cli.js');
  const options = ['-s', source, '-o', join(folder, 'client'), '-e', 'ts', '-m', 'service', '-name', 'books'];
  options.push('-t', join(ROOT, 'tsconfig.json'));
  // One file per entity: the tool's run time grows with the square of a file's content.
  await writeFile(join(folder, 'odata2ts.config.cjs'), 'module.exports = { bundledFileGeneration: false };');
  await promisify(execFile)(process.execPath, ['--require', join(HERE, 'bundled-compiler.cjs'), tool, ...options], {
    cwd: folder,
  });
  return {
    module: join(folder, 'client/booksService.ts'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
