import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
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
  const folder = await mkdtemp(join(tmpdir(), 'cloudjar-run-'));
  project.provide('runFolder', folder);
  project.provide('runPid', process.pid);
  return async () => {
    await Promise.all([stopSharedPostgres(folder), stopSharedPodman(folder), stopSharedRabbit(folder)]);
    await rm(folder, { recursive: true, force: true });
  };
}
