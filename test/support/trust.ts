import { setDefaultCACertificates } from 'node:tls';

const trusted = new Set<string>();

/**
 * What `NODE_EXTRA_CA_CERTS` does for a program of one's own: everything in this process trusts the jar, until the test file ends. It trusts
 * nobody else then, since reading the certificates of the public authorities takes longer than starting the jar.
 */
export function trust({ ca }: { readonly ca: string }): void {
  trusted.add(ca);
  setDefaultCACertificates([...trusted]);
}

/** For the next file of the process. */
export function trustNobody(): void {
  if (trusted.size === 0) return;
  trusted.clear();
  setDefaultCACertificates([]);
}
