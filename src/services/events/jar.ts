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

/** The jar as the code of the event service sees it. */
export interface EventsJar extends Jar {
  /** Where resources lead that are named by their ids, as configured. */
  readonly connections: Connections;
  /** The compiled filters of the subscriptions of each scope. */
  readonly scopeIndexes: ScopeIndexes;
  readonly directoryTokens: DirectoryTokens;
  readonly brokers: Brokers;
  readonly relay: Relay;
  /** Those that can be changed at run time. */
  readonly settings: OpenSettings<ChangeableSettings>;
  /** What became of every event that came in. */
  readonly traces: Traces<Trace>;
}

export type EventsCall<P = Call['params']> = Call<P, Call['query'], unknown, EventsJar>;

export const { routeCode } = routesFor<EventsJar>();
export const { armCode } = armRoutesFor<EventsJar>();
