import { ApiError } from '../../../kernel/http/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import type { PlatformJar } from '../jar.ts';
import { freeCount, takeCount } from '../limits/take.ts';

/**
 * The serverless quota of an account in a region, for due work, which cannot refuse a caller. SQL warehouses take from the same quota in
 * calls.
 */

export interface ServerlessUse {
  readonly accountId: string;
  readonly region: string;
  /** Databricks units per hour. */
  readonly units: number;
}

type LimitJar = Pick<PlatformJar, 'limits'>;

const takenBy = ({ accountId, region, units }: ServerlessUse) =>
  ({ row: 'serverless', scope: [accountId, region], count: units }) as const;

/** Takes from the quota. Returns a message if it is not sufficient. */
export async function takeServerless(tx: Tx, jar: LimitJar, use: ServerlessUse): Promise<string | undefined> {
  try {
    await takeCount(tx, jar, takenBy(use));
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.message;
  }
}

export const freeServerless = (tx: Tx, jar: LimitJar, use: ServerlessUse): Promise<void> =>
  freeCount(tx, jar, takenBy(use));
