import { setDefaultCACertificates } from 'node:tls';

const trusted = new Set<string>();

/**
 * Like `NODE_EXTRA_CA_CERTS`: everything in this process trusts the jar until the test file ends. It trusts no other CA meanwhile, because
 * loading the public CAs takes longer than starting the jar.
 */
export function trust({ ca }: { readonly ca: string }): void {
  trusted.add(ca);
  setDefaultCACertificates([...trusted]);
}

/** Resets the trust for the next file of the process. */
export function trustNobody(): void {
  if (trusted.size === 0) return;
  trusted.clear();
  setDefaultCACertificates([]);
}
