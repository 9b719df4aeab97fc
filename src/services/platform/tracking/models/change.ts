import type { Jar } from '../../../../kernel/service/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import { type LoggedModel, loggedModels, modelKey } from './collections.ts';

/** Writes the change record of an operation on a model. */
export const recordModel = (tx: Tx, { clock }: Pick<Jar, 'clock'>, kind: string, model: LoggedModel): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${model.workspaceId}/experiments/${model.experimentId}/logged-models/${model.id}`,
    outcome: 'Succeeded',
    at: clock.now(),
    data: { name: model.name, status: model.status },
  });

/** Writes a changed model with the current time. */
export async function putModel(tx: Tx, { clock }: Pick<Jar, 'clock'>, changed: LoggedModel): Promise<LoggedModel> {
  const model = { ...changed, updatedAt: clock.now() };
  await tx.put(loggedModels, modelKey(model.workspaceId, model.id), model);
  return model;
}
