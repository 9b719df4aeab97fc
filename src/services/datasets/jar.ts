import { routesFor } from '../../kernel/http/index.ts';
import type { Call, Jar } from '../../kernel/service/index.ts';
import type { OpenSettings } from '../../kernel/settings/index.ts';
import type { DatasetsShape } from './operation.ts';
import type { Converters } from './rows/converters.ts';
import type { Settings } from './settings-table.ts';

export interface DatasetsJar extends Jar {
  readonly settings: OpenSettings<Settings>;
  /** Convert rows from the wire format to the stored format; compiled once per table schema. */
  readonly converters: Converters;
}

export type DatasetsCall = Call<Call['params'], Call['query'], unknown, DatasetsJar, DatasetsShape>;

export const { routeCode } = routesFor<DatasetsJar, DatasetsShape>();
