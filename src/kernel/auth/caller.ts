import type { Lifetime } from './lifetimes.ts';

/** Who makes a call, as the verified token says. */
export interface Caller extends Lifetime {
  readonly kind: 'user' | 'application';
  readonly tenantId: string;
  /** Object id of the user or of the application's service identity. */
  readonly objectId: string;
  /** Application that asked for the token. */
  readonly applicationId: string;
  /** `admin@vendor.example`, or the application's name. */
  readonly name: string;
  /** Delegated scopes; empty for an application's own token. */
  readonly scopes: readonly string[];
  readonly audience: string;
  readonly claims: Readonly<Record<string, unknown>>;
}
