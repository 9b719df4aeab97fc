import { routesFor } from '../../../src/kernel/http/index.ts';
import type { Jar } from '../../../src/kernel/service/index.ts';

/** The jar as the code of this service sees it. */
export interface BellsJar extends Jar {
  /** Rings on this node since the start, the last reset or the last restored snapshot. */
  readonly heard: { count: number };
}

export const { routeCode } = routesFor<BellsJar>();
