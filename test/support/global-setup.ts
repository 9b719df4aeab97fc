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
    /** A folder for the duration of the run, in which its processes find shared resources. */
    runFolder: string;
    /** The process that runs the tests; shared servers end with it. */
    runPid: number;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Tests start the command line from dist/. After `npm test` the build is up to date.
  await withLock('set-up', () => build());
  const folder = await mkdtemp(join(tmpdir(), 'cloudjar-run-'));
  project.provide('runFolder', folder);
  project.provide('runPid', process.pid);
  // Inherited by the test processes and their children: hundreds of programs that run the same source.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compile-cache');
  return async () => {
    await Promise.all([stopSharedPostgres(folder), stopSharedPodman(folder), stopSharedRabbit(folder)]);
    // A program that is just ending may still be writing its compile cache.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}
