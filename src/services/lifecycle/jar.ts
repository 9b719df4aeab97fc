import { routesFor } from '../../kernel/http/index.ts';
import type { Call, Jar } from '../../kernel/service/index.ts';
import type { Counter } from '../../kernel/telemetry/index.ts';
import type { Gate } from '../../kernel/values/index.ts';
import type { ApiTokens } from './access/api-tokens.ts';
import type { TokenUses } from './access/token-uses.ts';
import type { LifecycleShape } from './operation.ts';
import type { Mappings } from './symbols/mappings.ts';

export interface LifecycleJar extends Jar {
  readonly apiTokens: ApiTokens;
  readonly tokenUses: TokenUses;
  readonly mappings: Mappings;
  /** Limits concurrent unpacking of files. */
  readonly unpacking: Gate;
  /** Counts app logs that were not accepted. */
  readonly ignoredLogs: Counter;
}

export type LifecycleCall = Call<Call['params'], Call['query'], unknown, LifecycleJar, LifecycleShape>;

export const { routeCode } = routesFor<LifecycleJar, LifecycleShape>();
