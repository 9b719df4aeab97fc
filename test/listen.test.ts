import { Agent, request } from 'node:http';
import { request as requestSecure, Agent as SecureAgent } from 'node:https';
import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { controlFamily } from '../src/control/family.ts';
import { openJar } from '../src/jar/index.ts';
import { loadConfig } from '../src/kernel/config/config.ts';
import { ok } from '../src/kernel/http/route.ts';
import { route } from '../src/kernel/service/routes.ts';
import type { Service } from '../src/kernel/service/service.ts';
import { startJar } from '../src/testing/index.ts';
import { wholeService } from './support/whole-service.ts';

/** A service whose only answer waits until the test releases it. */
function waitingService() {
  let arrived = (): void => {};
  let release = (): void => {};
  const isHere = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const mayGo = new Promise<void>((resolve) => {
    release = resolve;
  });
  const service = wholeService({
    name: 'waiting',
    title: 'Waiting',
    family: { ...controlFamily('unused-key'), name: 'waiting' },
    mounts: ['/slow'],
    routes: [
      route({
        method: 'GET',
        path: '/slow',
        operation: 'Slow',
        summary: '',
        open: true,
        async handle() {
          arrived();
          await mayGo;
          return ok({ waited: true });
        },
      }),
    ],
  });
  return { service, isHere, release: () => release() };
}

/** A jar that a test closes, whether it is closed yet, and its log lines. */
async function closing(services?: readonly Service[]) {
  const config = loadConfig({ flags: { port: 0, httpsPort: 0, memory: true, clock: 'virtual' }, cwd: '/' });
  const running = await openJar({ config, inProcess: true, ...(services && { services }) });
  const complaints = vi.spyOn(running.jar.log, 'warn');
  let closed = false;
  return {
    jar: { url: running.url, httpsUrl: running.httpsUrl, adminKey: running.adminKey, ca: await running.ca() },
    close: () => {
      const done = running.close().then(() => {
        closed = true;
      });
      onTestFinished(() => done);
      return done;
    },
    isClosed: () => closed,
    complaints,
  };
}

type Reachable = Awaited<ReturnType<typeof closing>>['jar'];

function takesConnections(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    onTestFinished(() => void socket.destroy());
  });
}

async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A request over a keep-alive connection. */
function askKeepingAlive(
  jar: Reachable,
  scheme: 'http' | 'https',
  path: string,
): Promise<{ status: number; text: string }> {
  const secure = scheme === 'https';
  const agent = secure ? new SecureAgent({ keepAlive: true, ca: jar.ca }) : new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  return new Promise((resolve, reject) => {
    const ask = secure ? requestSecure : request;
    ask(new URL(path, secure ? jar.httpsUrl : jar.url), { agent })
      .once('error', reject)
      .once('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
      })
      .end();
  });
}

for (const scheme of ['http', 'https'] as const) {
  test(`${scheme}: closing finishes the request in flight while new connections are refused already`, async () => {
    const { service, isHere, release } = waitingService();
    const { jar, close, isClosed, complaints } = await closing([service]);
    const answer = askKeepingAlive(jar, scheme, '/slow');
    await isHere;
    const closed = close();
    await until(async () => !(await takesConnections(jar.url)) && !(await takesConnections(jar.httpsUrl)));
    expect(isClosed()).toBe(false);
    release();
    expect(await answer).toEqual({ status: 200, text: '{"waited":true}' });
    await closed;
    expect(complaints).not.toHaveBeenCalled();
  });

  test(`${scheme}: connections on which nothing was ever said do not hold up the end`, async () => {
    const { jar, close, complaints } = await closing();
    expect(await takesConnections(scheme === 'https' ? jar.httpsUrl : jar.url)).toBe(true);
    await close();
    expect(complaints).not.toHaveBeenCalled();
  });

  test(`${scheme}: connections that clients keep open for later do not hold up the end`, async () => {
    const { jar, close, complaints } = await closing();
    expect(await askKeepingAlive(jar, scheme, '/_jar/health')).toMatchObject({ status: 200 });
    await close();
    expect(await takesConnections(jar.url)).toBe(false);
    expect(complaints).not.toHaveBeenCalled();
  });
}

test('a live feed ends when the jar closes', async () => {
  const { jar, close, complaints } = await closing();
  const response = await fetch(`${jar.url}/_jar/events`, { headers: { authorization: `Bearer ${jar.adminKey}` } });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const rest = response.text();
  await close();
  expect(await rest).toContain(': following');
  expect(complaints).not.toHaveBeenCalled();
});

test('closing twice is closing once', async () => {
  const jar = await startJar();
  await Promise.all([jar.close(), jar.close()]);
  expect(await takesConnections(jar.url)).toBe(false);
});
