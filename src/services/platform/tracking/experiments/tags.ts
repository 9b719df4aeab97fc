import type { Tx } from '../../../../kernel/store/index.ts';
import type { PlatformCall, PlatformJar } from '../../jar.ts';
import { freeCount, takeCount } from '../../limits/take.ts';
import { type Experiment, type ExperimentTag, experimentTagKey, experimentTags } from '../collections.ts';
import { trackingErrors } from '../errors.ts';
import { knownTexts } from '../known-texts.ts';
import { checkLength, checkName, LONGEST_EXPERIMENT_TAG, LONGEST_NAME } from '../names.ts';
import { Request } from '../request.ts';
import { recordExperiment } from './change.ts';
import { findActiveExperiment } from './find.ts';

interface SentTag {
  readonly name: string;
  readonly value: string;
}

/** Tags that the service sets itself do not count towards the limit. */
const OWN_TAGS: ReadonlySet<string> = new Set([
  'mlflow.experiment.sourceName',
  'mlflow.experimentType',
  'mlflow.ownerEmail',
  'mlflow.ownerId',
]);

export function readExperimentTag(request: Request): SentTag {
  const name = request.need('key');
  checkName(name, request.path('key'), 'key');
  const value = request.text('value') ?? '';
  checkLength(value, request.path('value'), LONGEST_EXPERIMENT_TAG);
  return { name, value };
}

type CountingJar = Pick<PlatformJar, 'limits'>;

const scopeOf = ({ workspaceId, id }: Experiment): readonly string[] => [workspaceId, id];

/** Called in a transaction that has locked the experiment. If a tag occurs several times, the last value applies. */
export async function putExperimentTags(
  tx: Tx,
  jar: CountingJar,
  experiment: Experiment,
  tags: readonly SentTag[],
): Promise<void> {
  const { workspaceId, id: experimentId } = experiment;
  const fresh = new Map<string, ExperimentTag>();
  for (const { name, value } of tags)
    fresh.set(experimentTagKey(workspaceId, experimentId, name), { workspaceId, experimentId, name, value });
  const before = await knownTexts(tx, experimentTags, [...fresh.keys()]);
  const count = [...fresh.values()].filter(({ name }) => !OWN_TAGS.has(name) && !before.has(name)).length;
  if (count > 0) await takeCount(tx, jar, { row: 'experiment-tags', scope: scopeOf(experiment), count });
  await tx.putAll(experimentTags, fresh);
}

/** `experiments/set-experiment-tag`. */
export async function setExperimentTag(call: PlatformCall): Promise<void> {
  const { jar } = call;
  const request = Request.of(call);
  const id = request.need('experiment_id');
  const tag = readExperimentTag(request);
  await jar.store.transact(async (tx) => {
    const experiment = await findActiveExperiment(tx, call, { id, level: 'CAN_EDIT', lock: 'update' });
    await putExperimentTags(tx, jar, experiment, [tag]);
    await recordExperiment(tx, jar, 'set-tag', experiment);
  });
}

/** `experiments/delete-experiment-tag`. */
export async function deleteExperimentTag(call: PlatformCall): Promise<void> {
  const { jar } = call;
  const request = Request.of(call);
  const [id, name] = [request.need('experiment_id'), request.need('key')];
  checkLength(name, request.path('key'), LONGEST_NAME);
  await jar.store.transact(async (tx) => {
    const experiment = await findActiveExperiment(tx, call, { id, level: 'CAN_EDIT', lock: 'update' });
    if (!(await tx.delete(experimentTags, experimentTagKey(experiment.workspaceId, id, name))))
      throw trackingErrors.RESOURCE_DOES_NOT_EXIST__ExperimentTag({ name, id });
    if (!OWN_TAGS.has(name)) await freeCount(tx, jar, { row: 'experiment-tags', scope: scopeOf(experiment) });
    await recordExperiment(tx, jar, 'delete-tag', experiment);
  });
}
