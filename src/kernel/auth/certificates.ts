import { X509Certificate } from 'node:crypto';

/** A certificate with which an application authenticates, or why it is invalid. */
export type ReadCertificate = { readonly pem: string } | { readonly problem: string };

/** Reads a certificate with an RSA key; other parts of the file, such as the private key, are dropped. */
export function readCertificate(text: string): ReadCertificate {
  try {
    const certificate = new X509Certificate(text);
    if (certificate.publicKey.asymmetricKeyType !== 'rsa') return { problem: 'its key is not an RSA key' };
    return { pem: certificate.toString() };
  } catch {
    return { problem: 'it is not an X.509 certificate in PEM' };
  }
}
