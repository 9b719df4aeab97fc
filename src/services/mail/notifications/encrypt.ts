import { constants, createCipheriv, createHmac, publicEncrypt, randomBytes, X509Certificate } from 'node:crypto';
import type { ResourceData } from './types.ts';

const KEY_BYTES = 32;
const IV_BYTES = 16;

/**
 * Encrypts resource data for the owner of a certificate: AES-CBC with a random key, whose first bytes are the initialization vector; a
 * signature of the encrypted bytes with the same key; and the key, encrypted with RSA-OAEP (SHA-1) for the certificate.
 */
export function encryptedContent(content: object, { certificate, certificateId }: ResourceData) {
  const owner = new X509Certificate(Buffer.from(certificate, 'base64'));
  const key = randomBytes(KEY_BYTES);
  const cipher = createCipheriv('aes-256-cbc', key, key.subarray(0, IV_BYTES));
  const data = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final()]);
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const dataKey = publicEncrypt({ key: owner.publicKey, padding, oaepHash: 'sha1' }, key);
  return {
    data: data.toString('base64'),
    dataSignature: createHmac('sha256', key).update(data).digest('base64'),
    dataKey: dataKey.toString('base64'),
    encryptionCertificateId: certificateId,
    encryptionCertificateThumbprint: owner.fingerprint.replaceAll(':', ''),
  };
}
