import { createHash, createPublicKey, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import * as der from './der.ts';

const OID = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
};

const KEY_USAGE = { digitalSignature: 0, keyCertSign: 5, cRLSign: 6 };
const GENERAL_NAME = { dns: 2, ip: 7 };
const ORGANIZATION = 'Cloudjar';
const VERSION_3 = 2;

/** A network that a CA may sign for: `{ address: '127.0.0.0', prefix: 8 }`. */
export interface Subnet {
  readonly address: string;
  readonly prefix: number;
}

interface Validity {
  readonly notBefore: number;
  readonly notAfter: number;
}

export interface AuthorityCertificateOptions extends Validity {
  readonly commonName: string;
  readonly privateKey: KeyObject;
  /** Names that it may sign for, including all names below them. */
  readonly permittedDns: readonly string[];
  readonly permittedIp: readonly Subnet[];
}

/** Creates a CA certificate that may sign server certificates only, no further CAs, and only for the permitted names. */
export function createAuthorityCertificate(options: AuthorityCertificateOptions): X509Certificate {
  const name = distinguishedName(options.commonName);
  return signCertificate({
    ...options,
    publicKey: createPublicKey(options.privateKey),
    issuer: name,
    subject: name,
    signingKey: options.privateKey,
    extensions: [
      extension(OID.basicConstraints, der.sequence(der.boolean(true), der.integer(0)), true),
      extension(OID.keyUsage, der.namedBits(KEY_USAGE.keyCertSign, KEY_USAGE.cRLSign), true),
      extension(OID.nameConstraints, nameConstraints(options), true),
      subjectKeyIdentifier(options.privateKey),
    ],
  });
}

export interface ServerCertificateOptions extends Validity {
  readonly commonName: string;
  readonly privateKey: KeyObject;
  /** Host names, `*.name` wildcards and IP addresses. */
  readonly names: readonly string[];
  readonly issuer: X509Certificate;
  readonly issuerKey: KeyObject;
}

export function createServerCertificate(options: ServerCertificateOptions): X509Certificate {
  const authorityKey = der.sequence(der.implicit(0, keyIdentifier(options.issuerKey)));
  return signCertificate({
    ...options,
    publicKey: createPublicKey(options.privateKey),
    issuer: distinguishedName(/^CN=(.*)$/m.exec(options.issuer.subject)?.[1] ?? ''),
    subject: distinguishedName(options.commonName),
    signingKey: options.issuerKey,
    extensions: [
      extension(OID.basicConstraints, der.sequence(), true),
      extension(OID.keyUsage, der.namedBits(KEY_USAGE.digitalSignature), true),
      extension(OID.extendedKeyUsage, der.sequence(der.objectIdentifier(OID.serverAuth))),
      extension(OID.subjectAltName, alternativeNames(options.names)),
      extension(OID.authorityKeyIdentifier, authorityKey),
      subjectKeyIdentifier(options.privateKey),
    ],
  });
}

interface Unsigned extends Validity {
  readonly publicKey: KeyObject;
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly signingKey: KeyObject;
  readonly extensions: readonly Buffer[];
}

function signCertificate(certificate: Unsigned): X509Certificate {
  const algorithm = der.sequence(der.objectIdentifier(OID.ecdsaWithSha256));
  const toBeSigned = der.sequence(
    der.explicit(0, der.integer(VERSION_3)),
    der.integer(BigInt(`0x${randomBytes(16).toString('hex')}`)),
    algorithm,
    certificate.issuer,
    der.sequence(der.time(certificate.notBefore), der.time(certificate.notAfter)),
    certificate.subject,
    certificate.publicKey.export({ type: 'spki', format: 'der' }),
    der.explicit(3, der.sequence(...certificate.extensions)),
  );
  const signature = sign('sha256', toBeSigned, certificate.signingKey);
  return new X509Certificate(der.sequence(toBeSigned, algorithm, der.bitString(signature)));
}

function distinguishedName(commonName: string): Buffer {
  const attribute = (oid: string, value: string) =>
    der.set(der.sequence(der.objectIdentifier(oid), der.utf8String(value)));
  return der.sequence(attribute(OID.organization, ORGANIZATION), attribute(OID.commonName, commonName));
}

function extension(oid: string, content: Buffer, critical = false): Buffer {
  const flag = critical ? [der.boolean(true)] : [];
  return der.sequence(der.objectIdentifier(oid), ...flag, der.octetString(content));
}

/** SHA-1 of the key itself, the first method of RFC 5280; it only identifies the issuer and is not a protection. */
function keyIdentifier(key: KeyObject): Buffer {
  const { x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.of(0x04), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return createHash('sha1').update(point).digest();
}

function subjectKeyIdentifier(key: KeyObject): Buffer {
  return extension(OID.subjectKeyIdentifier, der.octetString(keyIdentifier(key)));
}

function generalName(name: string): Buffer {
  return ipVersion(name) === 0
    ? der.implicit(GENERAL_NAME.dns, Buffer.from(name, 'latin1'))
    : der.implicit(GENERAL_NAME.ip, addressBytes(name));
}

/** Encodes the names of a server certificate, in this order. */
export function alternativeNames(names: readonly string[]): Buffer {
  return der.sequence(...names.map(generalName));
}

/** Encodes one permission of a CA certificate. */
export function permittedSubtree(permission: string | Subnet): Buffer {
  return der.sequence(
    typeof permission === 'string'
      ? der.implicit(GENERAL_NAME.dns, Buffer.from(permission, 'latin1'))
      : der.implicit(GENERAL_NAME.ip, subnetBytes(permission)),
  );
}

function nameConstraints({ permittedDns, permittedIp }: AuthorityCertificateOptions): Buffer {
  return der.sequence(der.explicit(0, Buffer.concat([...permittedDns, ...permittedIp].map(permittedSubtree))));
}

/** An address followed by its mask. */
function subnetBytes({ address, prefix }: Subnet): Buffer {
  const bytes = addressBytes(address);
  const mask = bytes.map((_, index) => (0xff00 >> Math.min(8, Math.max(0, prefix - index * 8))) & 0xff);
  return Buffer.concat([bytes, mask]);
}

/** Returns 4, 6, or 0 for a name. Faster at start than `net.isIP`, whose patterns take milliseconds to compile. */
export function ipVersion(name: string): 0 | 4 | 6 {
  if (name.includes(':')) return URL.canParse(`http://[${name}]/`) ? 6 : 0;
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name) && name.split('.').every((part) => Number(part) < 256) ? 4 : 0;
}

/** Four bytes of an IPv4 address, sixteen of an IPv6 address. */
export function addressBytes(address: string): Buffer {
  if (ipVersion(address) === 4) return Buffer.from(address.split('.').map(Number));
  // The URL parser normalises every form of an IPv6 address to hexadecimal groups.
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const groups = (text: string | undefined) => (text ? text.split(':') : []);
  const [first, last] = [groups(head), groups(tail)];
  const missing = tail === undefined ? 0 : 8 - first.length - last.length;
  const all = [...first, ...Array<string>(missing).fill('0'), ...last];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
