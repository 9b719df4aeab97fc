import { workHandler } from '../../../../kernel/work/index.ts';
import { textsOf } from '../../engine/json.ts';
import type { PlatformJar } from '../../jar.ts';
import type { Update } from '../collections.ts';
import { PipelineChange } from '../pipeline-change.ts';
import { STEP_UPDATE } from '../work.ts';
import { enter } from './begin.ts';
import { withCompute } from './compute.ts';
import { finishUpdate } from './finish.ts';
import { readProgram } from './program.ts';

/** State transitions of an update by time. */

export const stepUpdate = workHandler(STEP_UPDATE, async (item, jar: PlatformJar) => {
  await jar.store.transact(async (tx) => {
    // Completed first: the next state schedules an item with the same id.
    await tx.complete(item);
    const change = await PipelineChange.load(tx, jar, item.payload.key);
    const update = await change?.active();
    if (!change || update?.id !== item.payload.update) return;
    await step(change, update);
    await change.save();
  });
});

const resets = ({ request }: Update): boolean =>
  request.full_refresh === true || textsOf(request.full_refresh_selection).length > 0;

async function step(change: PipelineChange, update: Update): Promise<unknown> {
  switch (update.state) {
    case 'CREATED':
      return enter(change, update, 'WAITING_FOR_RESOURCES');
    case 'WAITING_FOR_RESOURCES': {
      const placed = await withCompute(change, update);
      if (typeof placed === 'string')
        return finishUpdate(change, update, 'FAILED', { message: placed, isFatal: false });
      return enter(change, placed, 'INITIALIZING');
    }
    case 'INITIALIZING':
      return afterInitializing(change, update);
    case 'RESETTING':
      return enter(change, update, 'SETTING_UP_TABLES');
    case 'SETTING_UP_TABLES':
      return run(change, update);
    case 'RUNNING': {
      const message = update.program?.problem;
      if (message === undefined) return finishUpdate(change, update, 'COMPLETED');
      return finishUpdate(change, update, 'FAILED', { message, isFatal: false });
    }
    case 'STOPPING':
      return finishUpdate(change, update, 'CANCELED');
    default:
      return undefined;
  }
}

/** Reads the sources; an update that only validates ends here. */
async function afterInitializing(change: PipelineChange, update: Update): Promise<unknown> {
  const sources = await readProgram(change, update);
  if (typeof sources === 'string') return finishUpdate(change, update, 'FAILED', { message: sources, isFatal: true });
  for (const name of sources.datasets)
    change.note({
      type: 'dataset_definition',
      message: `Dataset '${name}' defined.`,
      update,
      origin: { dataset_name: name },
      details: { dataset_definition: { dataset_name: name } },
    });
  if (update.request.validate_only === true) return finishUpdate(change, update, 'COMPLETED');
  return enter(change, update, resets(update) ? 'RESETTING' : 'SETTING_UP_TABLES');
}

/** The effect of the sources is known from here on; a continuous update continues afterwards. */
async function run(change: PipelineChange, update: Update): Promise<unknown> {
  const sources = await readProgram(change, update);
  if (typeof sources === 'string') return finishUpdate(change, update, 'FAILED', { message: sources, isFatal: true });
  const program = sources.run();
  for (const { name } of program.flows)
    change.note({
      type: 'flow_progress',
      message: `Flow '${name}' is RUNNING.`,
      update,
      origin: { flow_name: name, dataset_name: name },
      details: { flow_progress: { status: 'RUNNING' } },
    });
  const neverEnds = update.config.continuous === true && program.problem === undefined;
  const endsAt = neverEnds ? 'never' : (program.endsAt ?? 'never');
  return enter(change, { ...update, program }, 'RUNNING', endsAt);
}
