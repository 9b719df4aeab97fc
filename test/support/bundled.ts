import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { inject } from 'vitest';

// Bundled CommonJS packages call require() for Node's own modules.
const BANNER =
  "import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);";

/**
 * A program of the tests with all that it imports in one file, to be run by Node: from its sources each start of it would take three times the
 * processor time, and crash tests start theirs again and again.
 */
export async function bundled(program: string): Promise<string> {
  const place = createHash('sha256').update(program).digest('hex').slice(0, 12);
  const outfile = join(inject('runFolder'), 'programs', place, basename(program).replace(/\.ts$/, '.mjs'));
  await build({
    entryPoints: [program],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    banner: { js: BANNER },
    external: ['pg-native', '@kubernetes/client-node'],
    logLevel: 'warning',
  });
  return outfile;
}
