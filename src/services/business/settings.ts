import type { Jar } from '../../kernel/service/index.ts';
import type { DeclaredApi } from './model/custom/declared.ts';
import type { BUSINESS_SETTINGS } from './settings-table.ts';

/** The settings in force, durations in milliseconds. */
export type Settings = (typeof BUSINESS_SETTINGS)['defaults'];

/** How long things may take, in milliseconds of the jar's clock. `services.business.timeouts` has those that are to differ. */
export interface Times {
  /** A request that found no room waits as long. */
  readonly queueMs: number;
  /** The application works on one request as long. */
  readonly operationMs: number;
  /** A client waits for an answer as long, whatever happens to its request meanwhile. */
  readonly gatewayMs: number;
}

/** What `services.business` has beside the settings that can be changed at run time. */
export interface ConfiguredSettings {
  /** How long requests wait and work. */
  readonly timeouts?: Partial<Times>;
  /** How many changes are kept with their outcome. */
  readonly changeTraces?: number;
  readonly customApis?: readonly DeclaredApi[];
}

/** As checked when the jar opened. */
export const settingsOf = ({ config }: Pick<Jar, 'config'>): ConfiguredSettings => config.services.business ?? {};
