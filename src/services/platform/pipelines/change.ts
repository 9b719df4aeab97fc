import { uuid } from '../../../kernel/ids/index.ts';
import { allOf, eq, type Tx } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { errors } from '../errors.ts';
import { accountIn, callerIdentity, type PlatformCall, workspaceIn } from '../jar.ts';
import { runAsOf } from '../jobs/api/people.ts';
import { creatorAcl } from '../permissions/guard.ts';
import { type Pipeline, pipelines } from './collections.ts';
import { changePipeline, findPipeline } from './find.ts';
import { PipelineChange, recordPipeline } from './pipeline-change.ts';
import { planFiring, startContinuous } from './schedule.ts';
import { readPipeline, type SentPipeline } from './spec.ts';
import { specView } from './view.ts';

/** Creation, replacement and cloning of pipelines. */

/** Throws if another pipeline of the workspace has this name. Concurrent requests with the same name wait for each other. */
export async function checkName(
  tx: Tx,
  workspaceId: string,
  name: string,
  { own, allowsDuplicates }: { readonly own?: string; readonly allowsDuplicates: boolean },
): Promise<void> {
  if (name === '' || allowsDuplicates) return;
  await tx.lock(`platform.pipeline-names:${workspaceId}/${name}`);
  const filter = allOf(eq('workspace', workspaceId), eq('name', name), eq('deletedAt', null));
  const { items } = await tx.query(pipelines, { filter, limit: 2 });
  if (items.every(({ value }) => value.id === own)) return;
  throw errors.RESOURCE_CONFLICT({
    reason: `The pipeline name '${name}' is already used by another pipeline. This check can be skipped by setting \`allow_duplicate_names = true\` in the request.`,
  });
}

/** Throws if `expected_last_modified` of the request does not match the current settings. */
function checkExpected({ lastModified }: Pipeline, { expectedLastModified: expected }: SentPipeline): void {
  if (expected === undefined || expected === lastModified) return;
  throw errors.RESOURCE_CONFLICT({
    reason: `The pipeline was modified at ${lastModified}, and not at ${expected} as the request expects.`,
  });
}

async function makePipeline(tx: Tx, call: PlatformCall, sent: SentPipeline, name: string): Promise<PipelineChange> {
  const { jar } = call;
  const workspace = workspaceIn(call);
  const runAs = await runAsOf(tx, call, sent.runAs);
  await checkName(tx, workspace.id, name, sent);
  const now = jar.clock.now();
  const change = new PipelineChange(tx, jar, {
    id: uuid(),
    workspaceId: workspace.id,
    accountId: accountIn(call).id,
    region: workspace.region,
    name,
    spec: sent.spec,
    creator: callerIdentity(call).principal.id,
    ...(runAs !== undefined && { runAs }),
    acl: creatorAcl(call, 'pipelines'),
    createdAt: now,
    lastModified: now,
    updateCount: 0,
    eventCount: 0,
    latest: [],
  });
  if (sent.isDryRun) return change;
  change.note({ type: 'user_action', message: 'The pipeline was created.', details: action('CREATE') });
  await planFiring(change);
  await startContinuous(change);
  await recordPipeline(change, 'create');
  await change.save();
  return change;
}

export const action = (name: string): JsonMembers => ({ user_action: { action: name } });

/** A dry run creates nothing and returns the settings that the pipeline would have. */
export async function createPipeline(call: PlatformCall): Promise<JsonMembers> {
  const sent = readPipeline(call.body);
  const { pipeline } = await call.jar.store.transact((tx) => makePipeline(tx, call, sent, sent.name ?? ''));
  return sent.isDryRun ? { effective_settings: specView(pipeline) } : { pipeline_id: pipeline.id };
}

/** Settings that are missing in the request return to their defaults. An active update keeps the settings that it started with. */
export async function replacePipeline(call: PlatformCall, id: string): Promise<void> {
  const { jar } = call;
  await findPipeline(call, id, 'CAN_MANAGE');
  const sent = readPipeline(call.body);
  await jar.store.transact(async (tx) => {
    const change = await changePipeline(tx, call, id, 'CAN_MANAGE');
    const before = change.pipeline;
    checkExpected(before, sent);
    const runAs = (await runAsOf(tx, call, sent.runAs)) ?? before.runAs;
    const name = sent.name ?? before.name;
    if (name !== before.name)
      await checkName(tx, before.workspaceId, name, { own: id, allowsDuplicates: sent.allowsDuplicates });
    const lastModified = Math.max(change.now, before.lastModified + 1);
    change.pipeline = { ...before, spec: sent.spec, name, runAs, lastModified };
    change.note({ type: 'user_action', message: 'The pipeline was edited.', details: action('EDIT') });
    await planFiring(change);
    if (before.spec.continuous !== true) await startContinuous(change);
    await recordPipeline(change, 'update');
    await change.save();
  });
}

/**
 * Creates a pipeline that publishes to a catalog from one that does not: with the settings of the origin, unless the request overrides
 * them.
 */
export async function clonePipeline(call: PlatformCall, id: string): Promise<JsonMembers> {
  const origin = await findPipeline(call, id, 'CAN_MANAGE');
  // A clone does not inherit the storage location and target schema of the origin's tables.
  const { storage: _storage, target, schema, ...kept } = origin.spec;
  const sent = readPipeline(call.body, kept);
  if (sent.spec.catalog === undefined) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'catalog' });
  if (origin.spec.catalog !== undefined)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The pipeline ${id} publishes to the catalog ${String(origin.spec.catalog)}: only a pipeline without one can be cloned.`,
    });
  const isPlaced = sent.spec.schema !== undefined || sent.spec.target !== undefined;
  const spec = isPlaced
    ? sent.spec
    : { ...sent.spec, ...(target !== undefined && { target }), ...(schema !== undefined && { schema }) };
  const name = sent.name ?? `${origin.name} (clone)`;
  const { pipeline } = await call.jar.store.transact(async (tx) => {
    const { pipeline: current } = await changePipeline(tx, call, id, 'CAN_MANAGE');
    checkExpected(current, sent);
    return makePipeline(tx, call, { ...sent, spec, isDryRun: false }, name);
  });
  return { pipeline_id: pipeline.id };
}
