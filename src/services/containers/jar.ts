import { armRoutesFor } from '../../kernel/arm/index.ts';
import type { GroupEngine } from '../../kernel/engines/index.ts';
import { routesFor } from '../../kernel/http/index.ts';
import type { Call, Jar } from '../../kernel/service/index.ts';
import type { News } from './runtime/news.ts';
import type { Outage } from './runtime/outage.ts';

/** The jar as the code of the containers service sees it. */
export interface ContainersJar extends Jar {
  /** The engine that runs the groups. */
  readonly engine: GroupEngine;
  readonly news: News;
  readonly outage: Outage;
}

export type ContainersCall<P = Call['params']> = Call<P, Call['query'], unknown, ContainersJar>;

export const { routeCode } = routesFor<ContainersJar>();
export const { armCode } = armRoutesFor<ContainersJar>();
