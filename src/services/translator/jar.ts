import { type FamilyShape, routesFor } from '../../kernel/http/index.ts';
import type { Call, Jar } from '../../kernel/service/index.ts';
import type { Account } from './keys/account.ts';
import type { ConfiguredKeys } from './keys/configured.ts';

/** The jar as the code of the translator sees it. */
export interface TranslatorJar extends Jar {
  /** Keys of the configuration file. */
  readonly configuredKeys: ConfiguredKeys;
}

export interface TranslatorShape extends FamilyShape {
  /** Of a route that is not open: whose request it is; where only keys are taken, by which one. */
  readonly facts: { account?: Account; keyId?: string };
  readonly traits: {
    /** The endpoint that gives out tokens is another API, without versions. */
    readonly unversioned?: boolean;
    readonly keysOnly?: boolean;
  };
}

export type TranslatorCall = Call<Call['params'], Call['query'], unknown, TranslatorJar, TranslatorShape>;

export const { routeCode } = routesFor<TranslatorJar, TranslatorShape>();
