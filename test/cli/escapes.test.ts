import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { runCli, spawnCli, startCli } from './cli.ts';

/**
 * Characters that control a terminal: control characters of ASCII (except line feed) and Latin-1, and those that change the text direction.
 */
const ACTS = /[^\P{Cc}\n]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Sends raw bytes, which no client library would send. */
function sendRaw(url: string, bytes: Buffer): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    socket
      .once('error', reject)
      .once('close', () => resolve())
      .resume();
  });
}

const requestFor = (path: Buffer): Buffer =>
  Buffer.concat([Buffer.from('GET '), path, Buffer.from(' HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')]);

it.each(['json', 'pretty'])(
  'control characters of a request are in no line of the log (%s), of tail and of the list',
  async (format) => {
    const jar = await startCli(['--memory', '--log-format', format]);
    const tails = [[], ['--json']].map((words) => spawnCli(['tail', '--data', jar.folder, ...words]));
    for (const tail of tails) await eventually(() => expect(tail.stderr()).toContain('listening'));
    await sendRaw(jar.url, requestFor(Buffer.from('/a\u009b31mred?to=\u202egnp.exe')));
    await sendRaw(jar.url, requestFor(Buffer.from('/b\u001b[31mred\u0007')));
    await fetch(`${jar.url}/common/oauth2/v2.0/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'c\u001b[31m\u009b32m\u202e', client_id: 'x' }),
    });
    for (const shown of [...tails.map(({ stdout }) => stdout), jar.stderr]) {
      await eventually(() => expect(shown()).toContain('oauth2'));
      expect(shown()).toContain('/a%C2%9B31mred?to=%E2%80%AEgnp.exe');
      expect(shown()).toContain('/b%1B[31mred%07');
    }
    for (const tail of tails) expect(tail.stdout()).not.toMatch(ACTS);
    if (format === 'pretty') expect(jar.stderr()).not.toMatch(ACTS);
  },
);

it('control characters from other users never appear in the output of a command', async () => {
  const jar = await startCli(['--memory']);
  // Mail strips ASCII control characters from a subject.
  const subject = 'a\u009b31m\u202eb';
  await runCli(['mail', 'send', '--data', jar.folder, '--to', 'admin', '--subject', subject]);
  const list = await runCli(['mail', 'list', '--data', jar.folder]);
  expect(list.stdout).not.toMatch(ACTS);
  const json = await runCli(['mail', 'list', '--data', jar.folder, '--json']);
  expect(json.stdout).not.toMatch(ACTS);
  expect(JSON.parse(json.stdout).value[0].subject).toBe(subject);
  const refused = await runCli(['token', '--data', jar.folder, '--user', `x\u001b[2J${subject}`]);
  expect(refused.stderr).toContain('There is no user');
  expect(refused.stderr).not.toMatch(ACTS);
});
