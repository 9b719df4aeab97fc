import { routesFor } from '../../kernel/http/index.ts';
import type { Call, Jar } from '../../kernel/service/index.ts';
import type { OpenSettings } from '../../kernel/settings/index.ts';
import type { DatasetsShape } from './operation.ts';
import type { Converters } from './rows/converters.ts';
import type { Settings } from './settings-table.ts';

/** The jar as the code of push datasets sees it. */
export interface DatasetsJar extends Jar {
  readonly settings: OpenSettings<Settings>;
  /** From rows as they are sent to rows as they are stored, compiled for each schema of a table. */
  readonly converters: Converters;
}

export type DatasetsCall = Call<Call['params'], Call['query'], unknown, DatasetsJar, DatasetsShape>;

export const { routeCode } = routesFor<DatasetsJar, DatasetsShape>();
