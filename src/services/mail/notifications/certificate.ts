import { X509Certificate } from 'node:crypto';
import { errors } from '../errors.ts';

const LONGEST_CERTIFICATE = 16_000;
const KEY_BITS = { from: 2048, to: 4096 };

/** Validates the certificate for encrypting resource data, in base64 with or without PEM lines. Returns its DER form in base64. */
export function readCertificate(written: string): string {
  if (written.length > LONGEST_CERTIFICATE) throw wrong(`it has more than ${LONGEST_CERTIFICATE} characters`);
  const der = Buffer.from(written.replace(/-----[A-Z ]+-----/g, ''), 'base64');
  const certificate = parsed(der);
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
  const bits = asymmetricKeyDetails?.modulusLength ?? 0;
  if (asymmetricKeyType !== 'rsa') throw wrong('its key is not an RSA key');
  if (bits < KEY_BITS.from || bits > KEY_BITS.to)
    throw wrong(`its key has ${bits} bits; ${KEY_BITS.from} to ${KEY_BITS.to} are expected`);
  return certificate.raw.toString('base64');
}

function parsed(der: Buffer): X509Certificate {
  try {
    return new X509Certificate(der);
  } catch {
    throw wrong('it is not an X.509 certificate in base64');
  }
}

const wrong = (reason: string): Error =>
  errors.ValidationError(
    { reason: `The encryptionCertificate is not valid: ${reason}.` },
    { target: 'encryptionCertificate' },
  );
