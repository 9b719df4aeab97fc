import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  addressBytes,
  createAuthorityCertificate,
  createServerCertificate,
  ipVersion,
} from '../../../src/kernel/tls/x509.ts';

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const validity = { notBefore: Date.UTC(2026, 0, 1), notAfter: Date.UTC(2026, 11, 31) };

describe('the bytes of an address', () => {
  it.each([
    ['127.0.0.1', '7f000001'],
    ['::1', '00000000000000000000000000000001'],
    ['::', '00000000000000000000000000000000'],
    ['2001:db8::8a2e:370:7334', '20010db80000000000008a2e03707334'],
    ['fe80::', 'fe800000000000000000000000000000'],
    ['::ffff:192.0.2.1', '00000000000000000000ffffc0000201'],
    ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
  ])('%s are %s', (address, bytes) => {
    expect(addressBytes(address).toString('hex')).toBe(bytes);
  });

  it.each(['256.1.1.1', '1.2.3', '1.2.3.4.5', 'localhost', '::1::', 'a:b', '[::1]', ':', '*.localhost', ''])(
    '%j is no address',
    (name) => {
      expect(ipVersion(name)).toBe(0);
    },
  );

  it('are the same however the address is abbreviated', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(0, 0, 1, 0xab, 0xffff), { minLength: 8, maxLength: 8 }), (groups) => {
        const full = groups.map((group) => group.toString(16)).join(':');
        const expected = groups.map((group) => group.toString(16).padStart(4, '0')).join('');
        expect(addressBytes(full).toString('hex')).toBe(expected);
        expect(addressBytes(new URL(`http://[${full}]`).hostname.slice(1, -1)).toString('hex')).toBe(expected);
      }),
    );
  });
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe('a CA with constraints', () => {
  beforeEach(({ skip }) => {
    if (!hasOpenssl) skip('openssl is not on the PATH');
  });

  it.each([
    ['localhost', true],
    ['deep.below.localhost', true],
    ['127.9.9.9', true],
    ['::1', true],
    ['notlocalhost', false],
    ['bank.example', false],
    ['8.8.8.8', false],
    ['::2', false],
  ])('signing for %s is worth something: %s', (name, accepted) => {
    const folder = mkdtempSync(join(tmpdir(), 'cloudjar-x509-'));
    try {
      const issuerKey = newKey();
      const issuer = createAuthorityCertificate({
        ...validity,
        commonName: 'Constrained',
        privateKey: issuerKey,
        permittedDns: ['localhost'],
        permittedIp: [
          { address: '127.0.0.0', prefix: 8 },
          { address: '::1', prefix: 128 },
        ],
      });
      const options = { ...validity, commonName: 'Server', privateKey: newKey(), names: [name], issuer, issuerKey };
      writeFileSync(join(folder, 'ca.pem'), issuer.toString());
      writeFileSync(join(folder, 'server.pem'), createServerCertificate(options).toString());
      const args = ['verify', '-attime', String(validity.notBefore / 1000 + 1), '-CAfile', 'ca.pem', 'server.pem'];
      const verdict = () => {
        const { stdout, stderr, status } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
        expect(status === 0).toBe(accepted);
        return stdout + stderr;
      };
      expect(verdict()).toContain(accepted ? 'OK' : 'permitted subtree violation');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
