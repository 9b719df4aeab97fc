import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { RelaySettings } from '../../../../src/services/mail/relay/types.ts';

export const settings = (port: number, more: Partial<RelaySettings> = {}): RelaySettings => ({
  host: '127.0.0.1',
  port,
  tls: 'off',
  name: 'jar.test',
  ...more,
});

export interface ScriptedRelay {
  readonly port: number;
  /** Lines that clients sent; a message is one entry. */
  readonly lines: string[];
}

/**
 * A relay with scripted replies: `answers` are keyed by the first word of a command, `.` for the end of a message, `220` for the greeting.
 * `hang` never replies, `drop` closes the connection. By default, everything is accepted.
 */
export async function scriptedRelay(answers: Readonly<Record<string, string>> = {}): Promise<ScriptedRelay> {
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => {}));
    serve(socket, answers, lines);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, lines };
}

const USUAL: Readonly<Record<string, string>> = {
  220: '220 relay.test ESMTP',
  EHLO: '250-relay.test\r\n250-8BITMIME\r\n250 SIZE 1000000',
  DATA: '354 go ahead',
  QUIT: '221 bye',
  '.': '250 2.0.0 queued as 42',
};

function serve(socket: Socket, answers: Readonly<Record<string, string>>, lines: string[]): void {
  const say = (key: string): void => {
    const answer = answers[key] ?? USUAL[key] ?? '250 2.0.0 ok';
    if (answer === 'drop') socket.destroy();
    else if (answer !== 'hang') socket.write(`${answer}\r\n`);
  };
  let received = '';
  let isData = false;
  say('220');
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
    for (;;) {
      const end = received.indexOf(isData ? '\r\n.\r\n' : '\r\n');
      if (end < 0) return;
      const line = received.slice(0, end);
      received = received.slice(end + (isData ? 5 : 2));
      lines.push(line);
      const [verb = ''] = line.split(/[ :]/);
      // A reply for a whole command line takes precedence, for example for one recipient.
      const key = isData ? '.' : answers[line] === undefined ? verb : line;
      isData = !isData && verb === 'DATA' && (answers.DATA ?? '354').startsWith('354');
      say(key);
    }
  });
}
