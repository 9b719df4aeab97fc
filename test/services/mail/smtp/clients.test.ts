import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { describe, expect, it, onTestFinished } from 'vitest';
import { needSwaks, swaks } from '../../../support/swaks.ts';
import { openDoor, type TestDoor } from './door.ts';

const BODY = 'Subject: Hello\r\n\r\n.starts with a dot\r\n..and two\r\nGr\u00fc\u00dfe\r\n';

function transport(door: TestDoor, options: object = {}) {
  const made = createTransport({ host: '127.0.0.1', port: door.port, tls: { ca: door.ca }, ...options });
  onTestFinished(() => made.close());
  return made;
}

describe('nodemailer', () => {
  it('delivers over STARTTLS with the certificate of the jar, which it verifies', async () => {
    const door = await openDoor();
    const info = await transport(door, { requireTLS: true }).sendMail({
      envelope: { from: 'bob@away.test', to: ['ada@jar.test', 'eve@jar.test'] },
      raw: BODY,
    });
    expect(info.response).toMatch(/^250 2\.0\.0 Stored as/);
    expect(door.mails).toMatchObject([{ to: ['ada@jar.test', 'eve@jar.test'], isSecure: true }]);
    expect(door.mails[0]?.raw.toString()).toBe(BODY);
  });

  it('delivers in plain text, and learns which recipients were refused', async () => {
    const door = await openDoor();
    const info = await transport(door, { ignoreTLS: true }).sendMail({
      from: 'Bob <bob@away.test>',
      to: 'ada@jar.test, nobody@jar.test, eve@away.test',
      subject: 'Mixed',
      html: `<p>${'long line '.repeat(500)}</p>`,
      attachments: [{ filename: 'data.bin', content: Buffer.alloc(200_000, 7) }],
    });
    expect(info).toMatchObject({ accepted: ['ada@jar.test'], rejected: ['nobody@jar.test', 'eve@away.test'] });
    expect(door.mails).toMatchObject([{ to: ['ada@jar.test'], isSecure: false }]);
  });

  it('sends many messages over a pool of connections, each of which arrives once', async () => {
    const door = await openDoor();
    const pool = transport(door, { pool: true, maxConnections: 5, maxMessages: 1000, ignoreTLS: true });
    const numbers = Array.from({ length: 300 }, (_, index) => index);
    await Promise.all(
      numbers.map((number) =>
        pool.sendMail({ from: 'bob@away.test', to: 'ada@jar.test', subject: `No. ${number}`, text: 'x' }),
      ),
    );
    const subjects = door.mails.map(({ raw }) => Number(/^Subject: No\. (\d+)\r$/m.exec(raw.toString())?.[1]));
    expect(subjects.sort((a, b) => a - b)).toEqual(numbers);
  });

  it('sends addresses in UTF-8', async () => {
    const door = await openDoor();
    await transport(door).sendMail({
      envelope: { from: 'j\u00f6rg@away.test', to: '\u0434\u0430@jar.test' },
      raw: BODY,
    });
    expect(door.mails).toMatchObject([{ from: 'j\u00f6rg@away.test', to: ['\u0434\u0430@jar.test'], smtpUtf8: true }]);
  });

  it('knows the limit of sizes from EHLO, and sends nothing that is larger', async () => {
    const door = await openDoor({ limits: { messageBytes: 1000 } });
    const sent = transport(door).sendMail({
      envelope: { from: 'bob@away.test', to: 'ada@jar.test', size: 2000 },
      raw: 'x\r\n'.repeat(1000),
    });
    await expect(sent).rejects.toThrow('Message size larger than allowed 1000');
  });
});

describe('swaks', () => {
  const args = (door: TestDoor, ...more: string[]): string[] => [
    ...['--server', '127.0.0.1', '--port', String(door.port), '--helo', 'swaks.test', '--from', 'bob@away.test'],
    ...['--to', 'ada@jar.test', '--data', '-', ...more],
  ];

  it('delivers in plain text', async (context) => {
    await needSwaks(context);
    const door = await openDoor();
    const { status, output } = await swaks(args(door), BODY);
    expect(output).toContain('250 2.0.0 Stored as');
    expect(status).toBe(0);
    expect(door.mails).toMatchObject([{ from: 'bob@away.test', helo: 'swaks.test', isSecure: false }]);
    expect(door.mails[0]?.raw.toString().trimEnd()).toBe(BODY.trimEnd());
  });

  it('delivers over STARTTLS, and verifies the certificate', async (context) => {
    await needSwaks(context);
    const door = await openDoor();
    const folder = await mkdtemp(join(tmpdir(), 'cloudjar-swaks-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const ca = join(folder, 'ca.pem');
    await writeFile(ca, door.ca);
    const { status, output } = await swaks(
      args(door, '--tls', '--tls-verify', '--tls-ca-path', ca, '--tls-sni', 'localhost'),
      BODY,
    );
    expect(output).toContain('TLS started');
    expect(status).toBe(0);
    expect(door.mails).toMatchObject([{ isSecure: true }]);
    expect(door.contexts).toContain('localhost');
  });

  it('pipelines its commands', async (context) => {
    await needSwaks(context);
    const door = await openDoor();
    const { status } = await swaks(args(door, '--pipeline'), BODY);
    expect(status).toBe(0);
    expect(door.mails).toHaveLength(1);
  });

  it('is rejected if it requires a relay', async (context) => {
    await needSwaks(context);
    const door = await openDoor();
    const { status, output } = await swaks(args(door, '--to', 'eve@away.test'), BODY);
    expect(output).toContain('550 5.7.1 Relaying denied');
    expect(status).not.toBe(0);
    expect(door.mails).toEqual([]);
  });
});
