import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { inject } from 'vitest';
import { FOR_NODE } from '../../scripts/lib/build.mjs';

/**
 * A program of the tests with all that it imports in one file, to be run by Node: from its sources each start of it would take three times the
 * processor time, and crash tests start theirs again and again.
 */
export async function bundled(program: string): Promise<string> {
  const place = createHash('sha256').update(program).digest('hex').slice(0, 12);
  const outfile = join(inject('runFolder'), 'programs', place, basename(program).replace(/\.ts$/, '.mjs'));
  await build({ ...FOR_NODE, entryPoints: [program], outfile, logLevel: 'warning' });
  return outfile;
}
