import { connect } from 'node:net';
import { beforeEach, expect, it } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { mailControl } from '../control/support.ts';

onAnyStore('settings of SMTP', (bench) => {
  beforeEach(() => bench.jar.reset());

  const change = async (body: object) =>
    expect((await mailControl(bench).ask('PATCH', 'settings', body)).status).toBe(200);

  /** A connection, and everything that the server has sent on it. */
  const talk = () => {
    const socket = connect(bench.jar.smtpPort, '127.0.0.1').on('error', () => {});
    const said = { text: '', isOver: false };
    socket.setEncoding('latin1').on('data', (text) => {
      said.text += text;
    });
    socket.on('close', () => {
      said.isOver = true;
    });
    return { socket, said, heard: (what: RegExp) => eventually(() => expect(said.text).toMatch(what)) };
  };

  it('are those at the start of the connection', async () => {
    const before = talk();
    await before.heard(/^220 /);
    await change({ smtpMessageSizeLimit: 65_536, smtpConnectionsPerAddress: 2 });
    const after = talk();
    await after.heard(/^220 /);
    for (const { socket } of [before, after]) socket.write('EHLO client.test\r\n');
    await before.heard(/SIZE 36700160\r\n/);
    await after.heard(/SIZE 65536\r\n/);
    after.socket.write('MAIL FROM:<carol@fabrikam.example> SIZE=65537\r\n');
    await after.heard(/552 5\.3\.4 A message has 65536 bytes at most/);
    const third = talk();
    await third.heard(/^421 4\.7\.0 Too many connections/);
    await change({ smtpConnectionsPerAddress: null, smtpConnectionLimit: 1 });
    const fourth = talk();
    await fourth.heard(/^421 /);
    for (const { socket } of [before, after, third, fourth]) socket.destroy();
    await change({ smtpConnectionLimit: null, smtpMessageSizeLimit: null, smtpIdleTimeout: '1s' });
    const silent = talk();
    await silent.heard(/421 4\.4\.2/);
    await eventually(() => expect(silent.said.isOver).toBe(true));
    await change({ smtpIdleTimeout: null });
  });

  it.each([
    { smtpConnectionLimit: 0 },
    { smtpMessageSizeLimit: 1000 },
    { smtpIdleTimeout: '2h' },
    { relayTimeout: 'soon' },
    { keptMailLimit: 1.5 },
  ])('refuse %j', async (body) => {
    expect(await mailControl(bench).ask('PATCH', 'settings', body)).toMatchObject({
      status: 400,
      body: { error: { code: 'BadSetting' } },
    });
  });
});
