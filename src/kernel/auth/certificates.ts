import { X509Certificate } from 'node:crypto';

/** A certificate that an application may prove itself with. */
export type ReadCertificate = { readonly pem: string } | { readonly problem: string };

/** One certificate of an RSA key, without what may stand around it in a file, such as the private key. */
export function readCertificate(text: string): ReadCertificate {
  try {
    const certificate = new X509Certificate(text);
    if (certificate.publicKey.asymmetricKeyType !== 'rsa') return { problem: 'its key is not an RSA key' };
    return { pem: certificate.toString() };
  } catch {
    return { problem: 'it is not an X.509 certificate in PEM' };
  }
}
