import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes, X509Certificate } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Authority, loadAuthority } from '../../../src/kernel/tls/authority.ts';
import { type WantedNames, wantedNames } from '../../../src/kernel/tls/names.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 5, 15, 12);
const LOCAL: WantedNames = { asked: ['localhost', '*.localhost', '127.0.0.1', '::1'], welcome: [] };

let folder: string;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'cloudjar-tls-')), 'tls');
});

afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

function load({ names = LOCAL, now = START } = {}): Authority {
  return loadAuthority(folder, { names: () => names, wallNow: () => now });
}

function loadInMemory(): Authority {
  return loadAuthority(undefined, { names: () => LOCAL, wallNow: () => START });
}

const caOf = (authority: Authority) => new X509Certificate(authority.caPem);
const serverOf = (authority: Authority) => new X509Certificate(authority.serverCredentials().cert);
const mode = (name: string) => (statSync(join(folder, name)).mode & 0o777).toString(8);

describe('the local CA', () => {
  it('may sign servers and nothing below them, for ten years', () => {
    const ca = caOf(load());
    expect(ca.ca).toBe(true);
    expect(ca.subject).toMatch(/^O=Cloudjar\nCN=Cloudjar local CA [0-9a-f]{8}$/);
    expect(ca.issuer).toBe(ca.subject);
    expect(ca.verify(ca.publicKey)).toBe(true);
    expect(ca.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
    expect(ca.validFromDate.getTime()).toBe(START - DAY);
    expect(ca.validToDate.getTime()).toBe(START + 3650 * DAY);
  });

  it('has a name of its own in each jar, so that browsers tell several apart', () => {
    expect(caOf(load()).subject).not.toBe(caOf(loadInMemory()).subject);
  });

  it('signs a server certificate for the names of the jar, valid for no more than 397 days', () => {
    const authority = load();
    const server = serverOf(authority);
    expect(server.ca).toBe(false);
    expect(server.checkIssued(caOf(authority))).toBe(true);
    expect(server.verify(caOf(authority).publicKey)).toBe(true);
    expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(server.subjectAltName).toBe(
      'DNS:localhost, DNS:*.localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
    );
    expect(server.checkHost('localhost')).toBe('localhost');
    expect(server.checkIP('::1')).toBe('::1');
    expect(server.checkHost('bank.example')).toBeUndefined();
    expect(server.validFromDate.getTime()).toBe(START - DAY);
    expect(server.validToDate.getTime() - server.validFromDate.getTime()).toBe(397 * DAY);
  });

  it('touches no file before it is asked for, and none ever in memory', () => {
    load();
    const inMemory = loadInMemory();
    expect(inMemory.caPath).toBeUndefined();
    expect(serverOf(inMemory).checkIssued(caOf(inMemory))).toBe(true);
    expect(existsSync(folder)).toBe(false);
  });

  it('keeps its keys readable for the owner alone', () => {
    load().serverCredentials();
    expect(readdirSync(folder).sort()).toEqual(['ca.key', 'ca.pem', 'server.key', 'server.pem']);
    expect([mode('ca.pem'), mode('ca.key'), mode('server.pem'), mode('server.key')]).toEqual([
      '644',
      '600',
      '644',
      '600',
    ]);
  });
});

describe('a CA that is already there', () => {
  it('is used again, with the same server certificate', () => {
    const first = load();
    const { cert } = first.serverCredentials();
    expect(readFileSync(first.caPath ?? '', 'utf8')).toBe(first.caPem);
    const second = load({ now: START + 100 * DAY });
    expect(second.caPem).toBe(first.caPem);
    expect(second.serverCredentials().cert).toBe(cert);
  });

  it('issues a new server certificate 30 days before the old one ends, also in a running jar', () => {
    let now = START;
    const authority = loadAuthority(folder, { names: () => LOCAL, wallNow: () => now });
    const first = authority.serverCredentials();
    now = first.renewAt - 1;
    expect(authority.serverCredentials()).toBe(first);
    now = first.renewAt;
    const second = authority.serverCredentials();
    expect(new X509Certificate(second.cert).validFromDate.getTime()).toBe(now - DAY);
    expect(serverOf(load({ now })).raw).toEqual(new X509Certificate(second.cert).raw);
    expect(new X509Certificate(second.cert).verify(caOf(authority).publicKey)).toBe(true);
  });

  it('issues a new server certificate when the names change within what it may sign', () => {
    const first = load();
    first.serverCredentials();
    const names = { asked: [...LOCAL.asked, '*.events.localhost', '192.168.1.9'], welcome: [] };
    const second = load({ names });
    expect(second.caPem).toBe(first.caPem);
    expect(serverOf(second).checkHost('topic.events.localhost')).toBe('*.events.localhost');
    expect(serverOf(second).checkIP('192.168.1.9')).toBe('192.168.1.9');
  });

  it('gives way to a new one when a name is asked for that it may not sign', () => {
    const first = load();
    const names = { asked: [...LOCAL.asked, 'jar.example'], welcome: [] };
    expect(first.caPem).not.toBe('');
    const second = load({ names });
    expect(second.caPem).not.toBe(first.caPem);
    expect(load({ names }).caPem).toBe(second.caPem);
    expect(load().caPem).toBe(second.caPem);
  });

  it('leaves out a name that is only welcome when it may not sign it', () => {
    const first = load({ names: { asked: LOCAL.asked, welcome: ['old-name'] } });
    expect(serverOf(first).checkHost('old-name')).toBe('old-name');
    const renamed = load({ names: { asked: LOCAL.asked, welcome: ['new-name', '10.1.2.3'] } });
    expect(renamed.caPem).toBe(first.caPem);
    expect(serverOf(renamed).checkHost('new-name')).toBeUndefined();
    expect(serverOf(renamed).checkIP('10.1.2.3')).toBe('10.1.2.3');
  });

  it('is replaced before it ends', () => {
    const first = load();
    const late = load({ now: caOf(first).validToDate.getTime() - 40 * DAY });
    expect(late.caPem).toBe(first.caPem);
    expect(serverOf(late).validToDate).toEqual(caOf(first).validToDate);
    expect(load({ now: caOf(first).validToDate.getTime() - 20 * DAY }).caPem).not.toBe(first.caPem);
  });

  it('is recreated if the process was killed before its certificate was written', () => {
    const first = load().caPem;
    rmSync(join(folder, 'ca.pem'));
    const second = load();
    expect(second.caPem).not.toBe(first);
    expect(serverOf(second).verify(caOf(second).publicKey)).toBe(true);
  });

  const half = (file: string): void => truncateSync(file, Math.floor(statSync(file).size / 2));
  const replaceByFolder = (file: string): void => {
    rmSync(file);
    mkdirSync(file);
  };
  const other = () => loadInMemory().serverCredentials();
  const damages: [title: string, file: string, damage: (file: string) => void, says: string][] = [
    ['its key is missing', 'ca.key', (file) => rmSync(file), 'ca.key is missing or empty'],
    ['its key is empty', 'ca.key', (file) => truncateSync(file), 'ca.key is missing or empty'],
    ['its key is cut', 'ca.key', half, 'ca.key is damaged or not a private key'],
    ['its key is garbage', 'ca.key', (file) => writeFileSync(file, randomBytes(300)), 'ca.key is damaged'],
    ['its key is another one', 'ca.key', (file) => writeFileSync(file, other().key), 'do not belong together'],
    ['its key cannot be read', 'ca.key', replaceByFolder, 'cannot be read: EISDIR'],
    ['it is empty', 'ca.pem', (file) => truncateSync(file), 'ca.pem is empty'],
    ['it is cut', 'ca.pem', half, 'ca.pem is damaged or not a certificate'],
    ['it is garbage', 'ca.pem', (file) => writeFileSync(file, randomBytes(300)), 'ca.pem is damaged'],
    ['it is that of a server', 'ca.pem', (file) => writeFileSync(file, other().cert), 'ca.pem is not the certificate'],
    ['it cannot be read', 'ca.pem', replaceByFolder, 'cannot be read: EISDIR'],
    ['that of its server cannot be read', 'server.pem', replaceByFolder, 'cannot be read: EISDIR'],
  ];
  it.each(damages)('is refused in one line, and not replaced, when %s', (_, file, damage, says) => {
    const authority = load();
    const { caPem } = authority;
    authority.serverCredentials();
    damage(join(folder, file));
    expect(() => load().check()).toThrow(
      expect.objectContaining({ name: 'AuthorityError', message: expect.stringContaining(says) }),
    );
    const untouched = file === 'ca.pem' ? [] : [readFileSync(join(folder, 'ca.pem'), 'utf8')];
    expect(untouched).toEqual(untouched.map(() => caPem));
  });

  it('issues a new server certificate when the stored one is broken or of another CA', () => {
    const authority = load();
    authority.serverCredentials();
    writeFileSync(join(folder, 'server.pem'), 'broken');
    expect(serverOf(load()).verify(caOf(authority).publicKey)).toBe(true);
    const other = loadInMemory().serverCredentials();
    writeFileSync(join(folder, 'server.pem'), other.cert);
    writeFileSync(join(folder, 'server.key'), other.key);
    expect(serverOf(load()).verify(caOf(authority).publicKey)).toBe(true);
  });
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe('openssl', () => {
  beforeEach(({ skip }) => {
    if (!hasOpenssl) skip('openssl is not on the PATH');
  });

  function verify(now: number, ...more: string[]): string {
    const args = ['verify', '-x509_strict', '-purpose', 'sslserver', '-attime', String(now / 1000), ...more];
    return execFileSync('openssl', [...args, '-CAfile', join(folder, 'ca.pem'), join(folder, 'server.pem')], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
  }

  it('accepts the server certificate by the strict rules, for a name and for addresses', () => {
    load().serverCredentials();
    expect(verify(START, '-verify_hostname', 'localhost')).toContain('OK');
    expect(verify(START, '-verify_ip', '127.0.0.1')).toContain('OK');
    expect(verify(START, '-verify_ip', '::1')).toContain('OK');
    expect(() => verify(START, '-verify_hostname', 'bank.example')).toThrow('hostname mismatch');
    expect(() => verify(START + 400 * DAY)).toThrow('certificate has expired');
  });

  it('accepts a name that was asked for', () => {
    load({ names: { asked: [...LOCAL.asked, 'jar.example', '203.0.113.7'], welcome: [] } }).serverCredentials();
    expect(verify(START, '-verify_hostname', 'jar.example')).toContain('OK');
    expect(verify(START, '-verify_ip', '203.0.113.7')).toContain('OK');
  });

  it('shows what the CA may do', () => {
    const text = execFileSync('openssl', ['x509', '-noout', '-text'], { input: load().caPem, encoding: 'utf8' });
    expect(text).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:0/);
    expect(text).toMatch(/Key Usage: critical\s+Certificate Sign, CRL Sign/);
    expect(text).toMatch(/Name Constraints: critical\s+Permitted:\s+DNS:localhost\s+IP:127.0.0.0\/255.0.0.0/);
    expect(text).toContain('Subject Key Identifier');
  });
});

describe('the names of a jar', () => {
  it('always include the local ones, the host it listens on and what else is asked for', () => {
    expect(wantedNames('Jar.Example', ['*.events.localhost']).asked).toEqual([
      'localhost',
      '*.localhost',
      '127.0.0.1',
      '::1',
      'jar.example',
      '*.events.localhost',
    ]);
    expect(wantedNames('127.0.0.1').asked).toEqual(LOCAL.asked);
  });

  it('do not include the address that stands for all addresses', () => {
    expect(wantedNames('0.0.0.0').asked).toEqual(LOCAL.asked);
    expect(wantedNames('::').asked).toEqual(LOCAL.asked);
    expect(wantedNames('0.0.0.0').welcome).toContain('127.0.0.1');
  });

  it('the names of public addresses are welcome, and no reason for another CA', () => {
    const urls = ['https://Jar.Company.example:8443', 'https://[2001:db8::1]/'];
    const { asked, welcome } = wantedNames('127.0.0.1', [], urls);
    expect(asked).toEqual(LOCAL.asked);
    expect(welcome).toEqual(expect.arrayContaining(['jar.company.example', '2001:db8::1']));
  });
});
