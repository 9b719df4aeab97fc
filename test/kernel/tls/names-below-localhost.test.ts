import { once } from 'node:events';
import { type AddressInfo, isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../../src/kernel/telemetry/log.ts';
import { loadAuthority } from '../../../src/kernel/tls/authority.ts';
import { type LazyHttpsServer, lazyHttps } from '../../../src/kernel/tls/lazy-https.ts';
import { wantedNames, wildcardBelowLocalhost } from '../../../src/kernel/tls/names.ts';

let now = Date.now();
const authority = loadAuthority(undefined, { names: () => wantedNames('127.0.0.1'), wallNow: () => now });

describe('a name below localhost', () => {
  it.each([
    ['orders.westus.events.localhost', '*.westus.events.localhost'],
    ['ORDERS.WestUS.Events.LOCALHOST', '*.westus.events.localhost'],
    ['a.b.localhost', '*.b.localhost'],
    ['a.localhost', undefined],
    ['localhost', undefined],
    ['127.0.0.1', undefined],
    ['orders.example.com', undefined],
    ['a.b.localhost.example.com', undefined],
    ['a_b.c.localhost', undefined],
    ['.b.localhost', undefined],
    ['a..localhost', undefined],
    ['-a.b.localhost', undefined],
    ['*.b.localhost', undefined],
    [`${'a'.repeat(64)}.b.localhost`, undefined],
    [`${'a.'.repeat(200)}localhost`, undefined],
  ])('%s is covered by %s', (name, wildcard) => {
    expect(wildcardBelowLocalhost(name)).toBe(wildcard);
  });

  it('has credentials that are made once for all its neighbours', () => {
    const first = authority.credentialsFor('one.here.localhost');
    expect(first).toBeDefined();
    expect(authority.credentialsFor('two.here.localhost')).toBe(first);
    expect(authority.credentialsFor('two.there.localhost')).not.toBe(first);
    expect(authority.credentialsFor('www.example.com')).toBeUndefined();
  });

  it('has new ones when the old ones want renewal', () => {
    const first = authority.credentialsFor('old.here.localhost')!;
    const before = now;
    now = first.renewAt;
    try {
      expect(authority.credentialsFor('old.here.localhost')).not.toBe(first);
    } finally {
      now = before;
    }
  });

  it('is forgotten when too many others were asked for since', () => {
    const first = authority.credentialsFor('x.first.localhost');
    for (let i = 0; i < 200; i++) authority.credentialsFor(`x.n${i}.localhost`);
    expect(authority.credentialsFor('x.n199.localhost')).toBe(authority.credentialsFor('y.n199.localhost'));
    expect(authority.credentialsFor('x.first.localhost')).not.toBe(first);
  });
});

describe('the HTTPS listener', () => {
  let server: LazyHttpsServer;
  const credentialsFor = vi.fn((name: string) => authority.credentialsFor(name));

  beforeAll(async () => {
    server = lazyHttps({
      loadCredentials: () => authority.serverCredentials(),
      credentialsFor,
      onRequest: (_, response) => response.end('hello'),
      wallNow: Date.now,
      log: createLogger({ level: 'silent' }),
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });

  /** Performs a TLS handshake as a client that trusts the CA and requests a name; returns the outcome. */
  async function shake(name: string): Promise<string | undefined> {
    const { port } = server.address() as AddressInfo;
    const socket: TLSSocket = connect({
      port,
      host: name,
      ca: authority.caPem,
      ...(isIP(name) === 0 && { servername: name }),
      lookup: (_host, options, done) =>
        options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4),
    });
    await once(socket, 'secureConnect');
    expect(socket.authorized).toBe(true);
    const { subjectaltname } = socket.getPeerCertificate();
    socket.destroy();
    return subjectaltname;
  }

  it('shows a certificate for the name that is asked for', async () => {
    expect(await shake('orders.westus.events.localhost')).toBe('DNS:*.westus.events.localhost');
    expect(await shake('team.eastus.containers.localhost')).toBe('DNS:*.eastus.containers.localhost');
  });

  it('shows the usual one for all other names', async () => {
    expect(await shake('localhost')).toContain('DNS:localhost');
    expect(await shake('127.0.0.1')).toContain('DNS:localhost');
  });

  it('does not pass for a name that is not below localhost', async () => {
    await expect(shake('orders.westus.example.com')).rejects.toThrow(/altnames/i);
  });

  it('shows the usual one when none can be made', async () => {
    credentialsFor.mockImplementationOnce(() => {
      throw new Error('no luck');
    });
    await expect(shake('again.westus.events.localhost')).rejects.toThrow(/altnames/i);
    expect(await shake('again.westus.events.localhost')).toBe('DNS:*.westus.events.localhost');
  });
});
