import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { build } from '../../scripts/lib/build.mjs';
import { withLock } from '../../scripts/lib/lock.mjs';
import { stopSharedPodman } from './podman.ts';
import { stopSharedPostgres } from './postgres.ts';
import { stopSharedRabbit } from './rabbitmq.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder that lives as long as the run, where its processes find what they share. */
    runFolder: string;
    /** The process that runs the tests; what is shared ends with it. */
    runPid: number;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Tests start the command line from dist/. After `npm test` there is nothing to do.
  await withLock('set-up', () => build());
  const folder = await mkdtemp(join(tmpdir(), 'cloudjar-run-'));
  project.provide('runFolder', folder);
  project.provide('runPid', process.pid);
  // Inherited by the processes of the tests and by those that they start: hundreds of programs that run the same source.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compile-cache');
  return async () => {
    await Promise.all([stopSharedPostgres(folder), stopSharedPodman(folder), stopSharedRabbit(folder)]);
    // A program that ends at this very moment may still be writing what it has compiled.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}
