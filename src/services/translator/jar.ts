import type { Call } from '../../kernel/http/route.ts';
import { routesFor } from '../../kernel/http/route.ts';
import type { Jar } from '../../kernel/service/jar.ts';
import type { ConfiguredKeys } from './keys/configured.ts';

/** The jar as the code of the translator sees it. */
export interface TranslatorJar extends Jar {
  /** Keys of the configuration file. */
  readonly configuredKeys: ConfiguredKeys;
}

export type TranslatorCall = Call<Call['params'], Call['query'], unknown, TranslatorJar>;

export const { routeCode } = routesFor<TranslatorJar>();
