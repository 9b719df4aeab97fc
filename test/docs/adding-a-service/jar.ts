import { routesFor } from '../../../src/kernel/http/index.ts';
import type { Jar } from '../../../src/kernel/service/index.ts';

/** The jar as the code of this service sees it. */
export interface BellsJar extends Jar {
  /** How many rings this node has heard since the state was last replaced. */
  readonly heard: { count: number };
}

export const { routeCode } = routesFor<BellsJar>();
