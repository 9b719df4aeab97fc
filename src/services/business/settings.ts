import type { Jar } from '../../kernel/service/jar.ts';
import type { DeclaredApi } from './model/custom/declared.ts';
import type { BUSINESS_SETTINGS } from './settings-table.ts';
import type { Times } from './throttle/times.ts';

/** The settings in force, durations in milliseconds. */
export type Settings = (typeof BUSINESS_SETTINGS)['defaults'];

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
