import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../../../src/kernel/store/index.ts';
import { GroupProxy } from '../../../../src/services/containers/names/proxy.ts';

/** The jar survives arbitrary answers of programs in containers and arbitrary requests of clients. */

const NAME = 'front.westus.containers.localhost';
const HOST = `host: ${NAME}\r\n`;
const HEAD_END = '\r\n\r\n';

describe('a container group that is asked by its name', () => {
  let behaviour: (socket: Socket) => void;
  let jar: Server;
  const closing = new AbortController();
  // One direction of a connection may end before the other.
  const group = createTcpServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    behaviour(socket);
  });

  beforeAll(async () => {
    await once(group.listen(0, '127.0.0.1'), 'listening');
    const { port } = group.address() as AddressInfo;
    const stored: Record<string, Json> = {
      'containers.names': { resourceId: '/front' },
      'containers.runtimes': { state: 'Running', engine: 'docker', status: { ip: '127.0.0.1' } },
      'arm.resources': { name: 'front', properties: { ipAddress: { ports: [{ port }] } } },
    };
    const get = async ({ name }: { readonly name: string }) => ({ key: '', revision: 1, value: stored[name] });
    const proxy = new GroupProxy(
      { store: { get }, log: { warn: () => {} }, closing: closing.signal } as never,
      'containers.localhost',
    );
    jar = createServer((request, response) => proxy.request(request, response, NAME));
    jar.on('upgrade', (request, socket, head) => proxy.upgrade(request, socket, head, NAME));
    await once(jar.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(async () => {
    closing.abort();
    jar.closeAllConnections();
    jar.close();
    group.close();
  });

  /** Answers when the whole head and, if given, this text have arrived. */
  const answering = (text: string, after = HEAD_END) => {
    const seen = { text: '' };
    behaviour = (socket) => {
      socket.setEncoding('latin1').on('data', (chunk) => {
        seen.text += chunk;
        if (seen.text.includes(HEAD_END) && seen.text.endsWith(after)) socket.end(text);
      });
    };
    return seen;
  };

  function client(text: string): { readonly socket: Socket; readonly received: () => string } {
    const { port } = jar.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', () => {});
    socket.write(text);
    return { socket, received: () => received };
  }

  async function ask(text: string): Promise<string> {
    const { socket, received } = client(text.replace(' HTTP/1.1\r\n', ` HTTP/1.1\r\nconnection: close\r\n`));
    await once(socket, 'close');
    return received();
  }

  it.each([
    ['a header that no answer may have', 'HTTP/1.1 200 OK\r\nx-bad: a\x01b\r\ncontent-length: 0\r\n\r\n'],
    ['words beside the status that no answer may have', 'HTTP/1.1 200 O\x01K\r\ncontent-length: 0\r\n\r\n'],
    ['a status that is none', 'HTTP/1.1 099 X\r\ncontent-length: 0\r\n\r\n'],
    ['another protocol that nobody asked for', 'HTTP/1.1 101 Other\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n'],
    ['what is no HTTP', '\x00\x01\x02\r\n\r\n'],
    ['nothing', ''],
  ])('is 502 when it answers %s', async (_, answer) => {
    answering(answer);
    const text = await ask(`GET / HTTP/1.1\r\n${HOST}\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
    expect(text).toContain("The container group 'front' does not answer on its port");
  });

  it('may send early hints that are none, and names of headers that objects have', async () => {
    answering(
      'HTTP/1.1 103 Early\r\nlink: bogus\r\n\r\nHTTP/1.1 200 OK\r\nconstructor: x\r\ncontent-length: 2\r\n\r\nhi',
    );
    const text = await ask(`GET / HTTP/1.1\r\n${HOST}\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\nconstructor: x\r\ncontent-length: 2\r\n/);
    expect(text).toMatch(/\r\n\r\nhi$/);
  });

  it('gets the frame of a body with every method, and no header about another connection', async () => {
    const seen = answering(
      'HTTP/1.1 200 OK\r\nconnection: x-own\r\nx-own: 1\r\ncontent-length: 0\r\n\r\n',
      '0\r\n\r\n',
    );
    const headers = `${HOST}te: trailers\r\nkeep-alive: timeout=1\r\ntransfer-encoding: chunked\r\n`;
    const text = await ask(`DELETE / HTTP/1.1\r\n${headers}\r\n5\r\nhello\r\n0\r\n\r\n`);
    expect(seen.text).toMatch(/^DELETE \/ HTTP\/1\.1\r\n/);
    expect(seen.text).toMatch(/transfer-encoding: chunked\r\n.*\r\n\r\n5\r\nhello\r\n0\r\n\r\n$/s);
    expect(seen.text).not.toMatch(/^(te|keep-alive):/im);
    expect(text).not.toMatch(/^x-own:/im);
  });

  it('may hang up in the middle of an answer, and the client sees that', async () => {
    answering('HTTP/1.1 200 OK\r\ncontent-length: 200\r\n\r\nhalf');
    const text = await ask(`GET / HTTP/1.1\r\n${HOST}\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n.*half$/s);
  });

  const UPGRADE = `GET / HTTP/1.1\r\n${HOST}connection: upgrade\r\nupgrade: other\r\n\r\n`;

  it('may speak on after the client has ended its side of a tunnel', async () => {
    behaviour = (socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 101 Other\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n'));
      socket.on('data', () => {}).on('end', () => socket.end('last words'));
    };
    const { socket, received } = client(UPGRADE);
    await expect.poll(received).toMatch(/^HTTP\/1\.1 101 /);
    socket.end('bye');
    await once(socket, 'close');
    expect(received()).toMatch(/last words$/);
  });

  it('may refuse an upgrade, or hang up on it', async () => {
    answering('HTTP/1.1 403 No\r\ncontent-length: 2\r\n\r\nno');
    const refused = client(UPGRADE);
    await expect.poll(refused.received).toBe('HTTP/1.1 403 No\r\ncontent-length: 2\r\n\r\nno');
    refused.socket.destroy();
    answering('');
    const hungUp = client(UPGRADE);
    await expect.poll(hungUp.received).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n.*it closed the connection\.\n$/s);
    hungUp.socket.destroy();
  });
});
