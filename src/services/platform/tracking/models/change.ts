import type { Jar } from '../../../../kernel/service/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import { type LoggedModel, loggedModels, modelKey } from './collections.ts';

/** The change record of something that was done to a model. */
export const recordModel = (tx: Tx, { clock }: Pick<Jar, 'clock'>, kind: string, model: LoggedModel): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${model.workspaceId}/experiments/${model.experimentId}/logged-models/${model.id}`,
    outcome: 'Succeeded',
    at: clock.now(),
    data: { name: model.name, status: model.status },
  });

/** Writes a model that was changed now. */
export async function putModel(tx: Tx, { clock }: Pick<Jar, 'clock'>, changed: LoggedModel): Promise<LoggedModel> {
  const model = { ...changed, updatedAt: clock.now() };
  await tx.put(loggedModels, modelKey(model.workspaceId, model.id), model);
  return model;
}
