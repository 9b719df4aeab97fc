import { type ArmFacts, armRoutesFor } from '../../kernel/arm/index.ts';
import { routesFor } from '../../kernel/http/index.ts';
import type { Call, Jar } from '../../kernel/service/index.ts';
import type { PiecePool } from './copying/index.ts';
import type { Storage } from './storage/index.ts';

/** The jar as the code of this service sees it. */
export interface DataShareJar extends Jar {
  /** The storage accounts that data sets and mappings name. */
  readonly storage: Storage;
  /** Bounds what all runs together have in memory. */
  readonly pieces: PiecePool;
}

export type DataShareCall<P = Call['params'], Q = Call['query'], B = unknown> = Call<P, Q, B, DataShareJar>;
export type { ArmFacts };

export const { routeCode } = routesFor<DataShareJar>();
export const { armCode } = armRoutesFor<DataShareJar>();
