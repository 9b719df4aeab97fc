/** Who makes a call, as the verified token says. */
export interface Caller {
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
  readonly expiresAt: number;
  readonly claims: Readonly<Record<string, unknown>>;
}
