import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { CertificateFolder, type StoredPair } from './certificate-folder.ts';
import {
  extraPermissions,
  isPermitted,
  PERMITTED_DNS,
  PERMITTED_IP,
  type WantedNames,
  wildcardBelowLocalhost,
} from './names.ts';
import { alternativeNames, createAuthorityCertificate, createServerCertificate, permittedSubtree } from './x509.ts';

const DAY = 86_400_000;
const AUTHORITY_LIFETIME = 3_650 * DAY;
/** The maximum that browsers accept for a server certificate. */
const SERVER_LIFETIME = 397 * DAY;
const RENEW_BEFORE_END = 30 * DAY;
/** Allows for clocks of clients and containers that are behind. */
const BACKDATE = DAY;

export class AuthorityError extends Error {
  override readonly name = 'AuthorityError';
}

export interface ServerCredentials {
  /** PEM, as `tls.createSecureContext` accepts it. */
  readonly key: string;
  readonly cert: string;
  /** Request new credentials after this time. */
  readonly renewAt: number;
}

/** The local CA of a jar. It reads, creates and writes nothing before it is first used. */
export interface Authority {
  /** The certificate that clients must trust. */
  readonly caPem: string;
  /** The path of the certificate; `undefined` for a jar in memory. */
  readonly caPath: string | undefined;
  /** Loads the stored CA, or creates one. If it cannot be used, throws an error that names the file and the remedy. */
  check(): void;
  serverCredentials(): ServerCredentials;
  /**
   * For a name below `localhost` that the server certificate does not cover, because a wildcard matches only one label:
   * `orders.westus.events.localhost`. Created on first use and not stored. Returns `undefined` if the server certificate covers the name,
   * or if the name is invalid.
   */
  credentialsFor(name: string): ServerCredentials | undefined;
}

export interface AuthorityOptions {
  /** A function is called once, when the first certificate is needed. */
  readonly names: WantedNames | (() => WantedNames);
  /** The system time, because TLS clients check certificates against it, whatever the jar's clock shows. */
  readonly wallNow: () => number;
}

/** With a folder, the CA is stored and reused as long as it may sign the requested names. */
export function loadAuthority(folder: string | undefined, options: AuthorityOptions): Authority {
  return new LocalAuthority(folder, options);
}

/** Clients may request any name, so the cache is limited. */
const REMEMBERED_NAMES = 200;

interface KeyPair {
  readonly certificate: X509Certificate;
  readonly privateKey: KeyObject;
}

class LocalAuthority implements Authority {
  readonly caPath: string | undefined;
  readonly #folder: CertificateFolder | undefined;
  readonly #askedNames: AuthorityOptions['names'];
  #foundNames: WantedNames | undefined;
  readonly #wallNow: () => number;
  #authority: KeyPair | undefined;
  #server: ServerCredentials | undefined;
  readonly #below = new Map<string, ServerCredentials>();

  constructor(folder: string | undefined, { names, wallNow }: AuthorityOptions) {
    this.#folder = folder === undefined ? undefined : new CertificateFolder(folder);
    this.caPath = folder === undefined ? undefined : join(folder, 'ca.pem');
    this.#askedNames = names;
    this.#wallNow = wallNow;
  }

  get #names(): WantedNames {
    this.#foundNames ??= typeof this.#askedNames === 'function' ? this.#askedNames() : this.#askedNames;
    return this.#foundNames;
  }

  get caPem(): string {
    return this.#getAuthority().certificate.toString();
  }

  check(): void {
    this.#getAuthority();
    // A damaged server certificate is replaced. If it cannot be read, an error is thrown, because it could not be written either.
    this.#read('server');
  }

  serverCredentials(): ServerCredentials {
    if (this.#server === undefined || this.#wallNow() >= this.#server.renewAt) {
      const authority = this.#getAuthority();
      this.#server = credentialsOf(this.#readServer(authority) ?? this.#issueServer(authority));
    }
    return this.#server;
  }

  credentialsFor(name: string): ServerCredentials | undefined {
    const wildcard = wildcardBelowLocalhost(name);
    if (wildcard === undefined || this.#names.asked.includes(wildcard)) return undefined;
    const known = this.#below.get(wildcard);
    if (known !== undefined && this.#wallNow() < known.renewAt) return known;
    const made = credentialsOf(this.#issue(this.#getAuthority(), [wildcard]));
    this.#below.delete(wildcard);
    if (this.#below.size >= REMEMBERED_NAMES) this.#below.delete(this.#below.keys().next().value as string);
    this.#below.set(wildcard, made);
    return made;
  }

  #getAuthority(): KeyPair {
    if (this.#authority === undefined || !this.#isCurrent(this.#authority.certificate)) {
      this.#authority = this.#readAuthority() ?? this.#createAuthority();
    }
    return this.#authority;
  }

  /** Returns `undefined` if there is none, if it is too old, or if it may not sign the requested names. */
  #readAuthority(): KeyPair | undefined {
    const stored = this.#read('ca');
    if (stored === undefined) return undefined;
    const pair = usablePair(stored, this.caPath ?? '');
    const maySign = this.#names.asked.every((name) => mayIssue(pair.certificate, name));
    return maySign && this.#isCurrent(pair.certificate) ? pair : undefined;
  }

  #read(name: 'ca' | 'server'): StoredPair | undefined {
    try {
      return this.#folder?.read(name);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new AuthorityError(`a certificate of the data folder cannot be read: ${reason}`, { cause });
    }
  }

  #createAuthority(): KeyPair {
    const extra = extraPermissions([...this.#names.asked, ...this.#names.welcome]);
    const now = this.#wallNow();
    const pair = createPair((privateKey) =>
      createAuthorityCertificate({
        commonName: `Cloudjar local CA ${randomBytes(4).toString('hex')}`,
        privateKey,
        notBefore: now - BACKDATE,
        notAfter: now + AUTHORITY_LIFETIME,
        permittedDns: [...PERMITTED_DNS, ...extra.dns],
        permittedIp: [...PERMITTED_IP, ...extra.ip],
      }),
    );
    this.#folder?.write('ca', { pem: pair.certificate.toString(), key: exportKey(pair.privateKey) });
    return pair;
  }

  #readServer(authority: KeyPair): KeyPair | undefined {
    const stored = this.#read('server');
    const pair = stored && parsePair(stored.pem, stored.key);
    if (pair === undefined) return undefined;
    const { certificate } = pair;
    const isOurs =
      certificate.checkIssued(authority.certificate) && certificate.verify(authority.certificate.publicKey);
    const hasNames = certificate.raw.includes(alternativeNames(this.#serverNames(authority)));
    return isOurs && hasNames && this.#isCurrent(certificate) ? pair : undefined;
  }

  #issueServer(authority: KeyPair): KeyPair {
    const pair = this.#issue(authority, this.#serverNames(authority));
    this.#folder?.write('server', { pem: pair.certificate.toString(), key: exportKey(pair.privateKey) });
    return pair;
  }

  #issue(authority: KeyPair, names: readonly string[]): KeyPair {
    const now = this.#wallNow();
    return createPair((privateKey) =>
      createServerCertificate({
        commonName: 'Cloudjar',
        privateKey,
        names,
        notBefore: Math.max(now - BACKDATE, authority.certificate.validFromDate.getTime()),
        notAfter: Math.min(now - BACKDATE + SERVER_LIFETIME, authority.certificate.validToDate.getTime()),
        issuer: authority.certificate,
        issuerKey: authority.privateKey,
      }),
    );
  }

  #serverNames(authority: KeyPair): string[] {
    const welcome = this.#names.welcome.filter((name) => mayIssue(authority.certificate, name));
    return [...new Set([...this.#names.asked, ...welcome])];
  }

  #isCurrent(certificate: X509Certificate): boolean {
    const now = this.#wallNow();
    return certificate.validFromDate.getTime() <= now && now < certificate.validToDate.getTime() - RENEW_BEFORE_END;
  }
}

/** Names outside of the standard permissions need their own permission in the CA's certificate. */
function mayIssue(authority: X509Certificate, name: string): boolean {
  if (isPermitted(name, PERMITTED_DNS, PERMITTED_IP)) return true;
  const { dns, ip } = extraPermissions([name]);
  return [...dns, ...ip].every((permission) => authority.raw.includes(permittedSubtree(permission)));
}

const credentialsOf = ({ privateKey, certificate }: KeyPair): ServerCredentials => ({
  key: exportKey(privateKey),
  cert: certificate.toString(),
  renewAt: certificate.validToDate.getTime() - RENEW_BEFORE_END,
});

function createPair(issue: (privateKey: KeyObject) => X509Certificate): KeyPair {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { privateKey, certificate: issue(privateKey) };
}

const REMEDY =
  'put back the file that was there, or remove ca.pem and ca.key to get a new CA, which clients then have to trust';

/** Clients trust exactly this certificate, so a damaged one is an error and is not replaced. */
function usablePair(stored: StoredPair, caPath: string): KeyPair {
  const keyPath = caPath.replace(/\.pem$/, '.key');
  const damaged = (path: string, what: string): AuthorityError => new AuthorityError(`${path} ${what}: ${REMEDY}`);
  if (stored.pem.trim() === '') throw damaged(caPath, 'is empty');
  const certificate = orUndefined(() => new X509Certificate(stored.pem));
  if (!certificate) throw damaged(caPath, 'is damaged or not a certificate');
  if (!certificate.ca) throw damaged(caPath, 'is not the certificate of a CA');
  if (stored.key.trim() === '') throw damaged(keyPath, 'is missing or empty');
  const privateKey = orUndefined(() => createPrivateKey(stored.key));
  if (!privateKey) throw damaged(keyPath, 'is damaged or not a private key');
  if (!certificate.checkPrivateKey(privateKey)) throw damaged(caPath, 'and ca.key beside it do not belong together');
  return { certificate, privateKey };
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function parsePair(pem: string, key: string): KeyPair | undefined {
  return orUndefined(() => {
    const certificate = new X509Certificate(pem);
    const privateKey = createPrivateKey(key);
    return certificate.checkPrivateKey(privateKey) ? { certificate, privateKey } : undefined;
  });
}

function exportKey(privateKey: KeyObject): string {
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
