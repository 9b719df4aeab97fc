import { createHash } from 'node:crypto';
import { pagesOf, type Reader, type Tx } from '../../../../kernel/store/index.ts';
import { omitAbsent } from '../../../../kernel/values/index.ts';
import type { PlatformCall } from '../../jar.ts';
import {
  type Dataset,
  datasets,
  experimentKey,
  type RunDataset,
  type RunModel,
  runDatasets,
  runKey,
  runModels,
  type TrackedRun,
} from '../collections.ts';
import { trackingErrors } from '../errors.ts';
import { checkLength, LONGEST_DATASET, LONGEST_MODEL_ID } from '../names.ts';
import { Request } from '../request.ts';
import { recordRun } from './change.ts';
import { lockActiveRun, runIdIn } from './find.ts';

/** Input datasets and logged models of a run, and logged models that it produced. */

const MOST_INPUTS = 1000;
const LONGEST_TAG_KEY = 255;
const LONGEST_TAG = 500;

interface SentDataset {
  readonly dataset: Dataset;
  readonly tags: RunDataset['tags'];
}

function readDataset(request: Request): SentDataset {
  const dataset = request.member('dataset');
  if (!dataset) throw request.missing('dataset');
  const needed = (name: string): string => dataset.need(name);
  const read: Dataset = omitAbsent({
    name: needed('name'),
    digest: needed('digest'),
    source_type: needed('source_type'),
    source: needed('source'),
    schema: dataset.text('schema'),
    profile: dataset.text('profile'),
  });
  for (const [name, most] of Object.entries(LONGEST_DATASET))
    checkLength(read[name as keyof typeof LONGEST_DATASET] ?? '', dataset.path(name), most);
  checkLength(read.source_type, dataset.path('source_type'), LONGEST_DATASET.digest);
  const tags = request.list('tags').map((tag) => {
    const [key, value] = [tag.need('key'), tag.needAny('value')];
    checkLength(key, tag.path('key'), LONGEST_TAG_KEY);
    checkLength(value, tag.path('value'), LONGEST_TAG);
    return { key, value };
  });
  return { dataset: read, tags };
}

function readModel(request: Request): string {
  const id = request.need('model_id');
  checkLength(id, request.path('model_id'), LONGEST_MODEL_ID);
  return id;
}

function checkCount(count: number, what: string): void {
  if (count > MOST_INPUTS)
    throw trackingErrors.INVALID_PARAMETER_VALUE__BatchCount({ most: MOST_INPUTS, entity: what, count });
}

/** Name and digest identify a dataset within an experiment. */
const hashOf = ({ name, digest }: Dataset): string =>
  createHash('sha256')
    .update(JSON.stringify([name, digest]))
    .digest('hex')
    .slice(0, 32);

/** `runs/log-inputs`. Existing inputs of the run stay unchanged. */
export async function logInputs(call: PlatformCall): Promise<void> {
  const request = Request.of(call);
  const id = runIdIn(request);
  const sent = request.list('datasets').map(readDataset);
  const models = request.list('models').map(readModel);
  checkCount(sent.length, 'datasets');
  checkCount(models.length, 'models');
  await call.jar.store.transact(async (tx) => {
    const { run } = await lockActiveRun(tx, call, id);
    for (const each of sent) await addDataset(tx, run, each);
    for (const modelId of models) await addModel(tx, run, { direction: 'in', modelId });
    await recordRun(tx, call.jar, 'log-inputs', run);
  });
}

async function addDataset(tx: Tx, { workspaceId, experimentId, id: runId }: TrackedRun, sent: SentDataset) {
  const { name, digest } = sent.dataset;
  const hash = hashOf(sent.dataset);
  const key = `${experimentKey(workspaceId, experimentId)}/${hash}`;
  await tx.lock(`platform.dataset:${key}`);
  if (!(await tx.get(datasets, key))) await tx.put(datasets, key, sent.dataset);
  const inputKey = `${runKey(workspaceId, runId)}/${hash}`;
  if (await tx.get(runDatasets, inputKey)) return;
  await tx.put(runDatasets, inputKey, { workspaceId, experimentId, runId, hash, name, digest, tags: sent.tags });
}

/** `runs/outputs`. */
export async function logOutputs(call: PlatformCall): Promise<void> {
  const request = Request.of(call);
  const id = runIdIn(request);
  const models = request.list('models').map((model) => ({ modelId: readModel(model), step: model.whole('step') ?? 0 }));
  checkCount(models.length, 'models');
  await call.jar.store.transact(async (tx) => {
    const { run } = await lockActiveRun(tx, call, id);
    for (const model of models) await addModel(tx, run, { direction: 'out', ...model });
    await recordRun(tx, call.jar, 'log-outputs', run);
  });
}

async function addModel(tx: Tx, run: TrackedRun, model: Pick<RunModel, 'direction' | 'modelId' | 'step'>) {
  const key = `${runKey(run.workspaceId, run.id)}/${model.direction}/${model.modelId}`;
  if (await tx.get(runModels, key)) return;
  await tx.put(runModels, key, { workspaceId: run.workspaceId, runId: run.id, ...model });
}

interface InputViews {
  readonly input: object;
  readonly output?: object;
}

/** By run id, for runs that have inputs. */
export async function readInputs(
  reader: Reader,
  runs: readonly TrackedRun[],
): Promise<ReadonlyMap<string, InputViews>> {
  const keys = runs.map(({ workspaceId, id }) => runKey(workspaceId, id));
  const query = { filter: { op: 'in', field: 'run', values: keys }, order: [{ field: 'run' }] } as const;
  const found = new Map<string, { data: object[]; in: object[]; out: object[] }>();
  const of = (runId: string) => {
    const known = found.get(runId) ?? { data: [], in: [], out: [] };
    found.set(runId, known);
    return known;
  };
  for await (const page of pagesOf(reader, runDatasets, query))
    for (const { value } of page) of(value.runId).data.push(await datasetView(reader, value));
  for await (const page of pagesOf(reader, runModels, query))
    for (const { value } of page) of(value.runId)[value.direction].push(modelView(value));
  return new Map(
    [...found].map(([id, { data, in: given, out }]) => [
      id,
      {
        input: { ...(data.length > 0 && { dataset_inputs: data }), ...(given.length > 0 && { model_inputs: given }) },
        ...(out.length > 0 && { output: { model_outputs: out } }),
      },
    ]),
  );
}

async function datasetView(reader: Reader, { workspaceId, experimentId, hash, tags }: RunDataset): Promise<object> {
  const dataset = (await reader.get(datasets, `${experimentKey(workspaceId, experimentId)}/${hash}`, 'none'))?.value;
  return { ...(tags.length > 0 && { tags }), dataset };
}

const modelView = ({ modelId, step }: RunModel): object => omitAbsent({ model_id: modelId, step });
