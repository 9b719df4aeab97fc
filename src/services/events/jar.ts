import { armRoutesFor } from '../../kernel/arm/index.ts';
import { routesFor } from '../../kernel/http/index.ts';
import type { Call, Jar } from '../../kernel/service/index.ts';
import type { OpenSettings } from '../../kernel/settings/index.ts';
import type { Traces } from '../../kernel/traces/index.ts';
import type { Trace } from './collections.ts';
import type { DirectoryTokens } from './delivering/directory-token.ts';
import type { Brokers } from './destinations/amqp/brokers.ts';
import type { Connections } from './destinations/connections.ts';
import type { Relay } from './destinations/hybrid/relay.ts';
import type { ScopeIndexes } from './matching/scope-indexes.ts';
import type { ChangeableSettings } from './settings-table.ts';

export interface EventsJar extends Jar {
  /** Configured connections for destinations that are named by resource ids. */
  readonly connections: Connections;
  readonly scopeIndexes: ScopeIndexes;
  readonly directoryTokens: DirectoryTokens;
  readonly brokers: Brokers;
  readonly relay: Relay;
  /** Settings that can be changed at run time. */
  readonly settings: OpenSettings<ChangeableSettings>;
  /** Outcome of every published event. */
  readonly traces: Traces<Trace>;
}

export type EventsCall<P = Call['params']> = Call<P, Call['query'], unknown, EventsJar>;

export const { routeCode } = routesFor<EventsJar>();
export const { armCode } = armRoutesFor<EventsJar>();
