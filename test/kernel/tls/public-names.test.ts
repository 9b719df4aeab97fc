import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadAuthority } from '../../../src/kernel/tls/authority.ts';
import { namesOf, wantedNames } from '../../../src/kernel/tls/names.ts';
import { startJar } from '../../../src/testing/index.ts';

it.each([
  [['https://cloudjar:7443'], ['cloudjar']],
  [
    ['https://Jar.Example.com/', 'https://other.example:8443'],
    ['jar.example.com', 'other.example'],
  ],
  [['https://192.168.7.9:7443'], ['192.168.7.9']],
  [['https://[fd00::7]:7443'], ['fd00::7']],
  [['http://cloudjar:7400'], []],
  [[], []],
])('the names that a certificate has for the public addresses %j are %j', (urls, names) => {
  expect(namesOf(urls)).toEqual(names);
});

/** The status that the jar answers to a client that knows it by this name, in another container for instance. */
function statusFor(name: string, { httpsUrl, ca }: { httpsUrl: string; ca: string }): Promise<number | undefined> {
  const { port } = new URL(httpsUrl);
  return new Promise((resolve, reject) => {
    request({
      host: '127.0.0.1',
      port,
      path: '/common/.well-known/openid-configuration',
      servername: name,
      headers: { host: `${name}:${port}` },
      ca,
    })
      .on('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      })
      .on('error', reject)
      .end();
  });
}

it('a client that trusts the CA reaches the jar over HTTPS by the name of its public address, and by no other', async () => {
  await using jar = await startJar({ publicUrl: ['https://cloudjar:7443'] });
  const { httpsUrl } = jar;
  const ca = await (await fetch(`${jar.url}/_jar/ca.pem`)).text();
  expect(await statusFor('cloudjar', { httpsUrl, ca })).toBe(200);
  await expect(statusFor('stranger', { httpsUrl, ca })).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
});

it('a CA that may sign the name stays, one that may not is replaced', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cloudjar-names-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const load = (urls: readonly string[]) =>
    loadAuthority(folder, { names: wantedNames('0.0.0.0', namesOf(urls)), wallNow: Date.now });
  const local = load([]).caPem;
  expect(load(['https://localhost:7443', 'https://10.1.2.3:7443']).caPem).toBe(local);
  const named = load(['https://cloudjar.test:7443']);
  expect(named.caPem).not.toBe(local);
  expect(new X509Certificate(named.serverCredentials().cert).checkHost('cloudjar.test')).toBe('cloudjar.test');
  expect(load(['https://cloudjar.test:9000']).caPem).toBe(named.caPem);
  expect(load([]).caPem).toBe(named.caPem);
});
