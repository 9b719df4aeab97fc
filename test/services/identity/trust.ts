import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** What `NODE_EXTRA_CA_CERTS` does for a program of one's own: everything in this process trusts the jar. */
export function trust(ca: string): void {
  setDefaultCACertificates([...getCACertificates('default'), ca]);
}
