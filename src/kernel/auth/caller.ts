import type { Lifetime } from './lifetimes.ts';

/** The authenticated caller, from the claims of a verified token. */
export interface Caller extends Lifetime {
  readonly kind: 'user' | 'application';
  readonly tenantId: string;
  /** Object id of the user, or of the application's service principal. */
  readonly objectId: string;
  /** The application that requested the token. */
  readonly applicationId: string;
  /** `admin@vendor.example`, or the name of the application. */
  readonly name: string;
  /** Delegated scopes; empty for a token of the application itself. */
  readonly scopes: readonly string[];
  readonly audience: string;
  /** The token permits only requests that change nothing. */
  readonly readOnly: boolean;
  readonly claims: Readonly<Record<string, unknown>>;
}
