import { type ArmFacts, armRoutesFor } from '../../kernel/arm/index.ts';
import { routesFor } from '../../kernel/http/index.ts';
import type { Call, Jar } from '../../kernel/service/index.ts';
import type { PiecePool } from './copying/index.ts';
import type { Storage } from './storage/index.ts';

export interface DataShareJar extends Jar {
  /** The storage accounts used by data sets and mappings. */
  readonly storage: Storage;
  /** Buffers shared by all runs; bounds their total memory. */
  readonly pieces: PiecePool;
}

export type DataShareCall<P = Call['params'], Q = Call['query'], B = unknown> = Call<P, Q, B, DataShareJar>;
export type { ArmFacts };

export const { routeCode } = routesFor<DataShareJar>();
export const { armCode } = armRoutesFor<DataShareJar>();
