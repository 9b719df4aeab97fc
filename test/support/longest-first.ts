import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The slowest files, as listed at the end of a run. Vitest knows durations from the last run, which a fresh clone does not have: if one of
 * these happened to start last, the run would wait for it alone.
 */
const LONGEST = [
  'test/package/runners.test.ts',
  'test/services/events/destinations/broker-outage.test.ts',
  'test/kernel/engines/docker-contract.test.ts',
  'test/kernel/store/contract.test.ts',
  'test/kernel/engines/docker.test.ts',
  'test/kernel/snapshots/large.test.ts',
  'test/cli/datasets/large.test.ts',
  'test/services/lifecycle/clients/command-line.test.ts',
  'test/kernel/work/crash.test.ts',
  'test/services/containers/streams.test.ts',
  'test/kernel/snapshots/crash.test.ts',
  'test/kernel/engines/docker-volumes.test.ts',
  'test/services/containers/crash.test.ts',
  'test/services/events/crash.test.ts',
  'test/kernel/limits/redis-only.test.ts',
  'test/kernel/delivery/crash.test.ts',
  'test/services/containers/real-engine.test.ts',
  'test/kernel/engines/docker-recovery.test.ts',
  'test/kernel/feed/interleavings.property.test.ts',
  'test/kernel/feed/retention.test.ts',
  'test/kernel/odata/list.test.ts',
  'test/services/business/clients/generated-client.test.ts',
  'test/services/containers/transitions.test.ts',
  'test/services/events/destinations/broker.test.ts',
  'test/services/containers/kubernetes/crash.test.ts',
  'test/services/identity/adal.test.ts',
].map((file) => resolve(file));

for (const file of LONGEST)
  if (!existsSync(file)) throw new Error(`test/support/longest-first.ts: there is no ${file}`);

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // The files of a project stay together, because a process is reused for files of the same project.
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      return own.toSorted((one, other) => rank(one) - rank(other));
    });
  }
}

const rank = ({ moduleId }: TestSpecification): number => {
  const found = LONGEST.indexOf(moduleId);
  return found < 0 ? LONGEST.length : found;
};
