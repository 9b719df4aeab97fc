import { getCACertificates, setDefaultCACertificates } from 'node:tls';

const trusted = new Set<string>();
let usual: readonly string[] | undefined;

/** What `NODE_EXTRA_CA_CERTS` does for a program of one's own: everything in this process trusts the jar, until the test file ends. */
export function trust({ ca }: { readonly ca: string }): void {
  usual ??= getCACertificates('default');
  trusted.add(ca);
  setDefaultCACertificates([...usual, ...trusted]);
}

/** For the next file of the process. */
export function trustNobody(): void {
  if (!usual || trusted.size === 0) return;
  trusted.clear();
  setDefaultCACertificates([...usual]);
}
