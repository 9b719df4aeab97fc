import type { Jar } from '../../kernel/service/index.ts';
import type { DeclaredApi } from './model/custom/declared.ts';
import type { BUSINESS_SETTINGS } from './settings-table.ts';

/** The settings in force, durations in milliseconds. */
export type Settings = (typeof BUSINESS_SETTINGS)['defaults'];

/** Time limits in milliseconds of the jar's clock. `services.business.timeouts` overrides them. */
export interface Times {
  /** Longest time that a request waits in the queue. */
  readonly queueMs: number;
  /** Longest time that the application works on one request. */
  readonly operationMs: number;
  /** Longest time that a client waits for an answer, whatever the state of its request. */
  readonly gatewayMs: number;
}

/** Settings of `services.business` that cannot be changed at run time. */
export interface ConfiguredSettings {
  readonly timeouts?: Partial<Times>;
  /** Number of changes whose outcome is kept. */
  readonly changeTraces?: number;
  readonly customApis?: readonly DeclaredApi[];
}

/** Validated when the jar opened. */
export const settingsOf = ({ config }: Pick<Jar, 'config'>): ConfiguredSettings => config.services.business ?? {};
