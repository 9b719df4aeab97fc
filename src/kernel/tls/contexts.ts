import { createSecureContext, type SecureContext } from 'node:tls';
import type { Authority, ServerCredentials } from './authority.ts';

/** Secure contexts with the jar's certificates, for ports of services. Each is created when the first client needs it. */
export class ServiceCertificates {
  readonly #authority: Authority;
  readonly #contexts = new WeakMap<ServerCredentials, SecureContext>();

  constructor(authority: Authority) {
    this.#authority = authority;
  }

  context(servername?: string): SecureContext {
    const named = servername === undefined ? undefined : this.#authority.credentialsFor(servername);
    const credentials = named ?? this.#authority.serverCredentials();
    let context = this.#contexts.get(credentials);
    if (!context) {
      const { key, cert } = credentials;
      context = createSecureContext({ key, cert });
      this.#contexts.set(credentials, context);
    }
    return context;
  }
}
