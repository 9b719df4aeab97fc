import type { Tx } from '../../../kernel/store/index.ts';
import { inSmallSlices, type OnDelete, type Purge, purgeOf } from '../apps/deletion.ts';
import { subjectOf } from './batches.ts';
import {
  configurationKey,
  type ExportConfiguration,
  exportBatches,
  exportConfigurations,
  exportJournal,
} from './collections.ts';
import { configurationsOf } from './queue.ts';
import { cancelExport, scheduleClearing } from './work.ts';

/** Part of the transaction that deletes the app. */
export const dropExportsOfApp: OnDelete = async (tx, { clock }, { id }) => {
  for (const configuration of await configurationsOf(tx, id)) await dropConfiguration(tx, configuration, clock.now());
};

/** Purges the app's journal afterwards. */
export const purgeJournal: Purge = inSmallSlices(purgeOf(exportJournal, (appId) => ({ prefix: `${appId}/` })));

/** Deletes a configuration and its queue. Returns false if it no longer exists. */
export async function dropConfiguration(tx: Tx, { appId, id }: ExportConfiguration, at: number): Promise<boolean> {
  if (!(await tx.delete(exportConfigurations, configurationKey(appId, id)))) return false;
  await tx.delete(exportBatches, id);
  await cancelExport(tx, id);
  await scheduleClearing(tx, id, at);
  await tx.change({
    source: 'lifecycle',
    kind: 'delete',
    subject: subjectOf({ appId, id }),
    outcome: 'Succeeded',
    at,
    data: {},
  });
  return true;
}
