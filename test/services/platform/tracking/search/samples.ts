import { createHash } from 'node:crypto';
import type { Store } from '../../../../../src/kernel/store/index.ts';
import {
  type RunStatus,
  runDatasets,
  runKey,
  runMetrics,
  runParams,
  runTags,
  trackedRuns,
  valueKey,
} from '../../../../../src/services/platform/tracking/collections.ts';
import type { SampleRun } from './brute-force.ts';

export const WORKSPACE = '1';

/** Writes the same documents as the service, without requests. */
export async function putSamples(store: Store, runs: readonly SampleRun[]): Promise<void> {
  const of = (run: SampleRun, name: string) => ({
    workspaceId: WORKSPACE,
    experimentId: run.experiment,
    runId: run.id,
    startTime: run.startTime,
    name,
  });
  await store.transact(async (tx) => {
    await tx.putAll(
      trackedRuns,
      runs.map(
        (run) =>
          [
            runKey(WORKSPACE, run.id),
            {
              workspaceId: WORKSPACE,
              experimentId: run.experiment,
              id: run.id,
              name: run.name,
              userId: run.userId,
              status: run.status as RunStatus,
              startTime: run.startTime,
              ...(run.endTime !== undefined && { endTime: run.endTime }),
              artifactUri: `x:/${run.id}`,
              stage: run.deleted ? 'deleted' : 'active',
            },
          ] as const,
      ),
    );
    const keyed = <V>(run: SampleRun, values: Readonly<Record<string, V>>) =>
      Object.entries(values).map(([name, value]) => ({
        key: valueKey(WORKSPACE, run.id, name),
        of: of(run, name),
        value,
      }));
    await tx.putAll(
      runMetrics,
      runs.flatMap((run) =>
        keyed(run, run.metrics).map(
          ({ key, of: base, value }) =>
            [
              key,
              {
                ...base,
                value,
                timestamp: 1,
                step: 0,
                series: key,
                tail: { key: '', count: 1, last: { timestamp: 1, step: 0, value } },
              },
            ] as const,
        ),
      ),
    );
    for (const [collection, texts] of [
      [runParams, (run: SampleRun) => run.params],
      [runTags, (run: SampleRun) => run.tags],
    ] as const)
      await tx.putAll(
        collection,
        runs.flatMap((run) =>
          keyed(run, texts(run)).map(({ key, of: base, value }) => [key, { ...base, value }] as const),
        ),
      );
    await tx.putAll(
      runDatasets,
      runs.flatMap((run) =>
        run.datasets.map(({ name, digest, context }, i) => {
          const hash = createHash('sha256').update(`${name}/${digest}/${i}`).digest('hex').slice(0, 32);
          const tags = context === undefined ? [] : [{ key: 'mlflow.data.context', value: context }];
          const { workspaceId, experimentId, runId } = of(run, '');
          return [
            `${runKey(WORKSPACE, run.id)}/${hash}`,
            { workspaceId, experimentId, runId, hash, name, digest, tags },
          ] as const;
        }),
      ),
    );
  });
}
