import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import * as der from '../../../src/kernel/tls/der.ts';

const SHA256_WITH_RSA = '1.2.840.113549.1.1.11';
const COMMON_NAME = '2.5.4.3';
const NULL = Buffer.of(0x05, 0x00);
const YEAR_MS = 365 * 24 * 3_600_000;

export interface ApplicationCertificate {
  readonly pem: string;
  readonly privateKey: string;
  /** Key and certificate in one file, as command-line tools store them. */
  readonly file: string;
  /** SHA-1, hexadecimal. */
  readonly thumbprint: string;
  readonly thumbprintSha256: string;
}

/** A self-signed certificate with an RSA key, as developers create them for an application. */
export function newApplicationCertificate(name = 'app'): ApplicationCertificate {
  const { privateKey: key, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const algorithm = der.sequence(der.objectIdentifier(SHA256_WITH_RSA), NULL);
  const subject = der.sequence(der.set(der.sequence(der.objectIdentifier(COMMON_NAME), der.utf8String(name))));
  const now = Date.now();
  const body = der.sequence(
    der.explicit(0, der.integer(2)),
    der.integer(1),
    algorithm,
    subject,
    der.sequence(der.time(now - YEAR_MS), der.time(now + YEAR_MS)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const whole = der.sequence(body, algorithm, der.bitString(sign('sha256', body, key)));
  const lines = whole.toString('base64').replaceAll(/.{64}/g, '$&\n');
  const pem = `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
  const privateKey = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  const thumbprintBy = (hash: string): string => createHash(hash).update(whole).digest('hex').toUpperCase();
  return {
    pem,
    privateKey,
    file: privateKey + pem,
    thumbprint: thumbprintBy('sha1'),
    thumbprintSha256: thumbprintBy('sha256'),
  };
}
