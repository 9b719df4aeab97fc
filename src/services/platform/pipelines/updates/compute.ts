import { newClusterId } from '../../compute/clusters/create.ts';
import { freeServerless, type ServerlessUse, takeServerless } from '../../compute/serverless.ts';
import type { Update } from '../collections.ts';
import type { PipelineChange } from '../pipeline-change.ts';

/** The compute of updates. */

/** Units per hour that an update on serverless compute takes of the account's quota. The real number is not published. */
const UNITS_OF_UPDATE = 8;

const useOf = ({ pipeline: { accountId, region } }: PipelineChange, units: number): ServerlessUse => ({
  accountId,
  region,
  units,
});

/** Assigns compute to the update; returns a text with the reason if none is available. */
export async function withCompute(change: PipelineChange, update: Update): Promise<Update | string> {
  if (update.config.serverless !== true) return { ...update, clusterId: newClusterId(change.now) };
  const refused = await takeServerless(change.tx, change.jar, useOf(change, UNITS_OF_UPDATE));
  return refused ?? { ...update, units: UNITS_OF_UPDATE };
}

export const releaseUnits = (change: PipelineChange, units: number): Promise<void> =>
  freeServerless(change.tx, change.jar, useOf(change, units));
