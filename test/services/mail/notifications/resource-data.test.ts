import { execFileSync } from 'node:child_process';
import { constants, createDecipheriv, createHmac, privateDecrypt, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { arrived, inMinutes, subscribe, subscribed } from './support.ts';

interface Encrypted {
  readonly data: string;
  readonly dataKey: string;
  readonly dataSignature: string;
}

/** Decrypts as a receiver does. */
function decrypted({ data, dataKey, dataSignature }: Encrypted, key: string): Record<string, unknown> {
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const secret = privateDecrypt({ key, padding, oaepHash: 'sha1' }, Buffer.from(dataKey, 'base64'));
  const bytes = Buffer.from(data, 'base64');
  expect(createHmac('sha256', secret).update(bytes).digest('base64')).toBe(dataSignature);
  const decipher = createDecipheriv('aes-256-cbc', secret, secret.subarray(0, 16));
  return JSON.parse(Buffer.concat([decipher.update(bytes), decipher.final()]).toString());
}

onAnyStore('notifications with resource data', (bench) => {
  let folder = '';
  let pem = '';
  let key = '';

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cloudjar-certificate-'));
    const [keyFile, file] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const made = [
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      keyFile,
      '-out',
      file,
      '-subj',
      '/CN=receiver',
      '-days',
      '2',
    ];
    execFileSync('openssl', ['req', '-x509', ...made], { stdio: 'ignore' });
    pem = readFileSync(file, 'utf8');
    key = readFileSync(keyFile, 'utf8');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(() => bench.jar.reset());

  const rich = () => ({
    resource: 'me/messages?$select=subject,importance,from',
    includeResourceData: true,
    encryptionCertificate: new X509Certificate(pem).raw.toString('base64'),
    encryptionCertificateId: 'mine',
  });

  it('carry extended properties that the resource expands by their ids, and nothing else can be expanded', async () => {
    const id = 'String {66f5a359-4659-4830-9070-00040ec6ac6e} Name Color';
    const expand = `$expand=singleValueExtendedProperties($filter=id eq '${id}')`;
    const resource = `me/messages?$select=subject&${expand}`;
    for (const wrong of [
      { resource: `me/messages?${expand}`, includeResourceData: false },
      { ...rich(), resource: 'me/messages?$select=subject&$expand=attachments' },
      { ...rich(), resource: 'me/messages?$select=subject&$expand=singleValueExtendedProperties' },
    ])
      expect((await subscribe(bench, wrong)).status, wrong.resource).toBe(400);
    const token = await bench.jar.token({ scope: 'Mail.ReadBasic' });
    expect((await subscribe(bench, { ...rich(), resource }, { token })).body.error.code).toBe('ExtensionError');
    await subscribed(bench, { ...rich(), resource });
    const singleValueExtendedProperties = [
      { id, value: 'Green' },
      { id: id.replace('Color', 'Size'), value: '7' },
    ];
    await bench.call('POST', '/v1.0/me/messages', { body: { subject: 'One', singleValueExtendedProperties } });
    await arrived(bench);
    const [{ encryptedContent }] = (await bench.jar.inbox('changes').next()).json().value;
    expect(decrypted(encryptedContent, key)).toMatchObject({
      subject: 'One',
      singleValueExtendedProperties: [{ id, value: 'Green' }],
    });
  });

  it('carry what is selected, encrypted for the certificate, and tokens that prove who sent them', async () => {
    const made = await subscribed(bench, rich());
    expect(made).toMatchObject({
      includeResourceData: true,
      encryptionCertificate: null,
      encryptionCertificateId: 'mine',
    });
    expect((await bench.call('GET', '/v1.0/subscriptions')).body.value[0].encryptionCertificate).toBe('');
    const { body } = await bench.call('POST', '/v1.0/me/messages', { body: { subject: 'Größe', importance: 'high' } });
    await arrived(bench);
    const message = (await bench.jar.inbox('changes').next()).json();
    const [notification] = message.value;
    expect(notification).toMatchObject({
      changeType: 'created',
      resourceData: { '@odata.type': '#microsoft.graph.message', id: body.id },
      encryptedContent: {
        encryptionCertificateId: 'mine',
        encryptionCertificateThumbprint: new X509Certificate(pem).fingerprint.replaceAll(':', ''),
      },
    });
    const content = decrypted(notification.encryptedContent, key);
    expect(content).toMatchObject({
      '@odata.type': '#microsoft.graph.message',
      id: body.id,
      subject: 'Größe',
      importance: 'high',
    });
    expect(content).not.toHaveProperty('body');
    const [token] = message.validationTokens;
    const claims = decodeJwt(token);
    expect(claims).toMatchObject({
      aud: made.applicationId,
      azp: '0bf30f3b-4a52-48df-9a82-234910c4a086',
      tid: notification.tenantId,
    });
    const issuer = String(claims.iss).replace(/\/v2\.0$/, '');
    const keys = await bench.call('GET', `${issuer}/discovery/v2.0/keys`, { token: null });
    const currentDate = bench.jar.clock.now();
    await jwtVerify(token, createLocalJWKSet(keys.body), { audience: made.applicationId, currentDate });
    // The token is for the receiver and gives no access to the jar.
    expect((await bench.call('GET', '/v1.0/me/messages', { token })).status).toBe(401);
  });

  it('one message has one token for each application, and a deletion has no content', async () => {
    await subscribed(bench, rich());
    await subscribed(bench, { ...rich(), changeType: 'deleted' });
    const { body } = await bench.call('POST', '/v1.0/me/messages', { body: { subject: 'One' } });
    const inbox = bench.jar.inbox('changes');
    await arrived(bench);
    await inbox.clear();
    await bench.call('POST', `/v1.0/me/messages/${body.id}/permanentDelete`);
    await arrived(bench);
    const { value, validationTokens } = (await inbox.next()).json();
    expect(value).toMatchObject([{ changeType: 'deleted' }, { changeType: 'deleted' }]);
    expect(value[0]).not.toHaveProperty('encryptedContent');
    expect(validationTokens).toHaveLength(1);
  });

  describe.each([
    ['no certificate', { encryptionCertificate: null }],
    ['no id of the certificate', { encryptionCertificateId: undefined }],
    ['something else than a certificate', { encryptionCertificate: 'bm90aGluZw==' }],
    ['no $select', { resource: 'me/messages' }],
    ['a selected body', { resource: 'me/messages?$select=subject,body' }],
    ['everything selected', { resource: 'me/messages?$select=*' }],
    ['a property that no message has', { resource: 'me/messages?$select=none' }],
    ['$select without resource data', { includeResourceData: false }],
    ['more than a day', { expirationDateTime: 'late' }],
  ])('a subscription with %s', (_, given) => {
    it('is refused', async () => {
      const late = 'expirationDateTime' in given && { expirationDateTime: inMinutes(bench, 1441) };
      const reply = await subscribe(bench, { ...rich(), ...given, ...late });
      expect(reply).toMatchObject({
        status: 400,
        body: { error: { code: expect.stringMatching(/^(InvalidRequest|ValidationError|ExtensionError)$/) } },
      });
    });
  });
});
