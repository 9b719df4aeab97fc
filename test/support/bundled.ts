import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { inject } from 'vitest';
import { FOR_NODE } from '../../scripts/lib/build.mjs';

/**
 * Bundles a test program with all its imports into one file for Node: from sources, each start would take three times the processor time,
 * and crash tests restart their programs many times.
 */
export async function bundled(program: string): Promise<string> {
  const place = createHash('sha256').update(program).digest('hex').slice(0, 12);
  const outfile = join(inject('runFolder'), 'programs', place, basename(program).replace(/\.ts$/, '.mjs'));
  await build({ ...FOR_NODE, entryPoints: [program], outfile, logLevel: 'warning' });
  return outfile;
}
