import { type FamilyShape, routesFor } from '../../kernel/http/index.ts';
import type { Call, Jar } from '../../kernel/service/index.ts';
import type { Account } from './keys/account.ts';
import type { ConfiguredKeys } from './keys/configured.ts';

export interface TranslatorJar extends Jar {
  /** Keys of the configuration file. */
  readonly configuredKeys: ConfiguredKeys;
}

export interface TranslatorShape extends FamilyShape {
  /** Set by authentication: the account, and on routes with `keysOnly` the id of the key. */
  readonly facts: { account?: Account; keyId?: string };
  readonly traits: {
    /** The token endpoint is a separate API without versions. */
    readonly unversioned?: boolean;
    readonly keysOnly?: boolean;
  };
}

export type TranslatorCall = Call<Call['params'], Call['query'], unknown, TranslatorJar, TranslatorShape>;

export const { routeCode } = routesFor<TranslatorJar, TranslatorShape>();
