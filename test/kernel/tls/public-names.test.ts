import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadAuthority } from '../../../src/kernel/tls/authority.ts';
import { wantedNames } from '../../../src/kernel/tls/names.ts';
import { startJar } from '../../../src/testing/index.ts';

it.each([
  [['https://cloudjar:7443'], ['cloudjar']],
  [
    ['https://Jar.Example.com/', 'http://other.example:8443'],
    ['jar.example.com', 'other.example'],
  ],
  [['https://192.168.7.9:7443'], ['192.168.7.9']],
  [['https://[fd00::7]:7443'], ['fd00::7']],
])('the names of the public addresses %j are welcome in the certificate: %j', (urls, names) => {
  expect(wantedNames('0.0.0.0', [], urls).welcome).toEqual(expect.arrayContaining(names));
});

/** Returns the status that a client gets when it uses this name, for example in another container. */
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

it('a CA that clients trust is kept; a new one may sign the name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cloudjar-names-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const load = (urls: readonly string[]) =>
    loadAuthority(folder, { names: wantedNames('0.0.0.0', [], urls), wallNow: Date.now });
  const named = (urls: readonly string[]) =>
    new X509Certificate(load(urls).serverCredentials().cert).checkHost('cloudjar.test');
  const address = 'https://cloudjar.test:7443';
  const first = load([]).caPem;
  expect(load([address]).caPem).toBe(first);
  expect(named([address])).toBeUndefined();
  for (const file of ['ca.pem', 'ca.key']) rmSync(join(folder, file));
  expect(named([address])).toBe('cloudjar.test');
  expect(load([address]).caPem).not.toBe(first);
});
