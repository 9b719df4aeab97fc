import type { Tx } from '../../../../kernel/store/index.ts';
import type { PlatformCall, PlatformJar } from '../../jar.ts';
import { freeCount, takeCount } from '../../limits/take.ts';
import { trackingErrors } from '../errors.ts';
import { knownTexts } from '../known-texts.ts';
import { Request } from '../request.ts';
import { checkDuplicates, readParam, readTag, type SentText } from '../runs/values.ts';
import { putModel, recordModel } from './change.ts';
import { type LoggedModel, type ModelText, modelKey, modelParams, modelTags } from './collections.ts';
import { modelErrors } from './errors.ts';
import { lockModel } from './find.ts';

/** Parameters and tags of logged models. */

type CountingJar = Pick<PlatformJar, 'limits'>;

const textKey = (model: LoggedModel, name: string): string => `${modelKey(model.workspaceId, model.id)}/${name}`;

const keyed = (model: LoggedModel, texts: Iterable<SentText>): (readonly [string, ModelText])[] => {
  const { workspaceId, experimentId, id: modelId, createdAt } = model;
  return Array.from(texts, ({ name, value }) => [
    textKey(model, name),
    { workspaceId, experimentId, modelId, createdAt, name, value },
  ]);
};

const keysOf = (model: LoggedModel, texts: Iterable<SentText>): readonly string[] =>
  Array.from(texts, ({ name }) => textKey(model, name));

export function readParams(request: Request): readonly SentText[] {
  const params = request.list('params').map(readParam);
  checkDuplicates(params);
  return params;
}

export const readTags = (request: Request): readonly SentText[] => request.list('tags').map(readTag);

/** Called in a transaction that has locked the model. A parameter cannot change its value; logging the same value again does nothing. */
export async function addModelParams(
  tx: Tx,
  jar: CountingJar,
  model: LoggedModel,
  params: readonly SentText[],
): Promise<void> {
  if (params.length === 0) return;
  const before = await knownTexts(tx, modelParams, keysOf(model, params));
  for (const { name, value } of params) {
    const there = before.get(name);
    if (there !== undefined && there !== value)
      throw modelErrors.INVALID_PARAMETER_VALUE__ChangedModelParam({ name, before: there, id: model.id, value });
  }
  const fresh = params.filter(({ name }) => !before.has(name));
  if (fresh.length === 0) return;
  const scope = [model.workspaceId, model.id];
  await takeCount(tx, jar, { row: 'logged-model-parameters', scope, count: fresh.length });
  await tx.putAll(modelParams, keyed(model, fresh));
}

/** Called in a transaction that has locked the model. If a tag occurs several times, the last value applies. */
export async function putModelTags(
  tx: Tx,
  jar: CountingJar,
  model: LoggedModel,
  tags: readonly SentText[],
): Promise<void> {
  if (tags.length === 0) return;
  const last = new Map(tags.map((tag) => [tag.name, tag]));
  const before = await knownTexts(tx, modelTags, keysOf(model, last.values()));
  const count = last.size - before.size;
  if (count > 0) await takeCount(tx, jar, { row: 'logged-model-tags', scope: [model.workspaceId, model.id], count });
  await tx.putAll(modelTags, keyed(model, last.values()));
}

/** Limit per request; a new model may have more. */
const MOST_PARAMS = 100;

/** `logged-models/{id}/params`. */
export async function logModelParams(call: PlatformCall): Promise<void> {
  const params = readParams(Request.ofBody(call.body));
  if (params.length > MOST_PARAMS)
    throw trackingErrors.INVALID_PARAMETER_VALUE__BatchCount({
      most: MOST_PARAMS,
      entity: 'params',
      count: params.length,
    });
  await changing(call, 'log-params', (tx, model) => addModelParams(tx, call.jar, model, params));
}

/** `logged-models/{id}/tags`. */
export async function setModelTags(call: PlatformCall): Promise<void> {
  const tags = readTags(Request.ofBody(call.body));
  await changing(call, 'set-tags', (tx, model) => putModelTags(tx, call.jar, model, tags));
}

/** `logged-models/{id}/tags/{tag_key}`. */
export async function deleteModelTag(call: PlatformCall): Promise<void> {
  const name = String(call.params.tag_key);
  await changing(call, 'delete-tag', async (tx, model) => {
    if (!(await tx.delete(modelTags, textKey(model, name))))
      throw modelErrors.RESOURCE_DOES_NOT_EXIST__ModelTag({ name: name.slice(0, 300), id: model.id });
    await freeCount(tx, call.jar, { row: 'logged-model-tags', scope: [model.workspaceId, model.id] });
  });
}

const changing = (
  call: PlatformCall,
  kind: string,
  change: (tx: Tx, model: LoggedModel) => Promise<void>,
): Promise<void> =>
  call.jar.store.transact(async (tx) => {
    const { model } = await lockModel(tx, call, String(call.params.model_id));
    await change(tx, model);
    await recordModel(tx, call.jar, kind, await putModel(tx, call.jar, model));
  });
