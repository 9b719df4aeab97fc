import { ApiError } from '../../../../kernel/http/index.ts';
import { newClusterId } from '../../compute/clusters/create.ts';
import { freeCount, takeCount } from '../../limits/take.ts';
import type { Update } from '../collections.ts';
import type { PipelineChange } from '../pipeline-change.ts';

/** The compute of updates. */

/** Units in an hour that an update on serverless compute takes of the account's quota. No number is published. */
export const UNITS_OF_UPDATE = 8;

const scopeOf = ({ pipeline: { accountId, region } }: PipelineChange): readonly string[] => [accountId, region];

/** The update with its compute; a text says why there is none. */
export async function withCompute(change: PipelineChange, update: Update): Promise<Update | string> {
  if (update.config.serverless !== true) return { ...update, clusterId: newClusterId(change.now) };
  try {
    await takeCount(change.tx, change.jar, { row: 'serverless', scope: scopeOf(change), count: UNITS_OF_UPDATE });
    return { ...update, units: UNITS_OF_UPDATE };
  } catch (error) {
    // Updates go on in due work, where nobody is there to be refused.
    if (!(error instanceof ApiError)) throw error;
    return error.message;
  }
}

export const releaseUnits = (change: PipelineChange, count: number): Promise<void> =>
  freeCount(change.tx, change.jar, { row: 'serverless', scope: scopeOf(change), count });
