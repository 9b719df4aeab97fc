import { once } from 'node:events';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as secureConnect } from 'node:tls';
import { ContainerInstanceManagementClient } from '@azure/arm-containerinstance';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startJar, type TestJar } from '../../../../src/testing/index.ts';
import { SUBSCRIPTION } from '../../../support/jars.ts';
import { BUSYBOX } from '../../../support/podman.ts';
import { trust } from '../../../support/trust.ts';
import { usePodman } from '../../../support/use-podman.ts';

/**
 * A web server on port 80 with a page and a script that echoes its input; on port 9000 a server that switches protocols and then echoes.
 */
const WEB = [
  'mkdir -p /tmp/www/cgi-bin',
  'echo "hello from $(hostname)" >/tmp/www/index.html',
  `printf '#!/bin/sh\\necho "content-type: text/plain"\\necho "x-method: $REQUEST_METHOD"\\necho "x-host: $HTTP_HOST"\\necho\\ncat\\n' >/tmp/www/cgi-bin/echo`,
  `printf '#!/bin/sh\\nwhile read -r line; do [ "$line" = "$(printf "\\\\r")" ] && break; done\\nprintf "HTTP/1.1 101 Switching Protocols\\\\r\\\\nconnection: upgrade\\\\r\\\\nupgrade: echo\\\\r\\\\n\\\\r\\\\n"\\nexec cat\\n' >/tmp/switch`,
  'chmod +x /tmp/www/cgi-bin/echo /tmp/switch',
  'while true; do nc -l -p 9000 -e /tmp/switch; done &',
  'exec httpd -f -p 80 -h /tmp/www',
].join('\n');

const NAME = 'front.westus.containers.localhost';

describe('requests for the name of a container group', () => {
  let jar: TestJar;
  let client: ContainerInstanceManagementClient;

  beforeEach(async (context) => {
    if (jar) return;
    const socket = await usePodman(context);
    jar = await startJar({
      engine: 'docker',
      clock: 'shifted',
      settings: { containers: { socket, stopGraceSeconds: 0 } },
    });
    trust(jar);
    const token = await jar.token();
    const credential = { getToken: async () => ({ token, expiresOnTimestamp: Date.now() + 3_600_000 }) };
    client = new ContainerInstanceManagementClient(credential, SUBSCRIPTION, { endpoint: jar.httpsUrl });
    await fetch(`${jar.url}/subscriptions/${SUBSCRIPTION}/resourcegroups/web?api-version=2021-04-01`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"location":"westus"}',
    });
    const ports = [{ port: 80 }, { port: 9000 }];
    const resources = { requests: { cpu: 1, memoryInGB: 1 } };
    await client.containerGroups.beginCreateOrUpdateAndWait(
      'web',
      'front',
      {
        location: 'westus',
        osType: 'Linux',
        containers: [{ name: 'web', image: BUSYBOX, command: ['sh', '-c', WEB], ports, resources }],
        ipAddress: { type: 'Public', ports, dnsNameLabel: 'front' },
      },
      { updateIntervalInMs: 50 },
    );
    await expect.poll(() => ask({}).then(({ status }) => status)).toBe(200);
  });
  afterAll(() => jar?.close());

  interface Asked {
    readonly host?: string;
    readonly path?: string;
    readonly method?: string;
    readonly body?: string;
    readonly headers?: Record<string, string>;
    readonly secure?: boolean;
  }

  async function ask({ host = NAME, path = '/', method = 'GET', body, headers = {}, secure = false }: Asked) {
    const { port } = new URL(secure ? jar.httpsUrl : jar.url);
    const options = { host: '127.0.0.1', port, path, method, headers: { host: `${host}:${port}`, ...headers } };
    const request = secure ? secureRequest({ ...options, servername: host, ca: jar.ca }) : plainRequest(options);
    request.end(body);
    const [response] = await once(request, 'response');
    return { status: response.statusCode, headers: response.headers, text: await text(response) };
  }

  it('reach the port 80 that the group publishes, over HTTP and HTTPS', async () => {
    expect(await ask({})).toMatchObject({ status: 200, text: 'hello from front\n' });
    expect(await ask({ secure: true })).toMatchObject({ status: 200, text: 'hello from front\n' });
    expect(await ask({ host: NAME.toUpperCase() })).toMatchObject({ status: 200 });
    expect(await ask({ path: '/absent' })).toMatchObject({ status: 404 });
  });

  it('arrive with method, body and host as they were sent', async () => {
    const body = 'x'.repeat(5_000_000);
    const sent = await ask({ path: '/cgi-bin/echo', method: 'POST', body });
    expect(sent).toMatchObject({ status: 200, headers: { 'x-method': 'POST' } });
    expect(sent.text === body).toBe(true);
    expect(sent.headers['x-host']).toMatch(new RegExp(`^${NAME}:`));
  });

  it('reach another port by its number in front of the name, and through the jar as a proxy', async () => {
    expect(await ask({ host: `80.${NAME}` })).toMatchObject({ status: 200, text: 'hello from front\n' });
    expect(await ask({ path: `http://${NAME}/` })).toMatchObject({ status: 200, text: 'hello from front\n' });
    const refused = await ask({ host: `81.${NAME}` });
    expect(refused.status).toBe(502);
    expect(refused.text).toBe("The container group 'front' does not publish the TCP port 81; it publishes 80, 9000.\n");
  });

  it.each(['HTTP', 'HTTPS'])('may change the protocol over %s, after which bytes pass both ways', async (by) => {
    const isSecure = by === 'HTTPS';
    const at = { host: '127.0.0.1', port: Number(new URL(isSecure ? jar.httpsUrl : jar.url).port) };
    const socket = isSecure ? secureConnect({ ...at, servername: `9000.${NAME}`, ca: jar.ca }) : connect(at);
    socket.write(`GET / HTTP/1.1\r\nhost: 9000.${NAME}\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n`);
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      received += chunk;
    });
    await expect.poll(() => received).toMatch(/^HTTP\/1\.1 101 /);
    socket.write('ping\n');
    await expect.poll(() => received).toMatch(/ping\n$/);
    socket.destroy();
  });

  it('are refused with the reason where no group is, or the group does not run', async () => {
    expect(await ask({ host: 'absent.westus.containers.localhost' })).toMatchObject({
      status: 404,
      text: "No container group has the name 'absent.westus.containers.localhost'.\n",
    });
    await client.containerGroups.stop('web', 'front');
    await expect.poll(() => ask({}).then(({ status }) => status)).toBe(503);
    expect((await ask({})).text).toBe("The container group 'front' is not running: its state is Stopped.\n");
  });
});
