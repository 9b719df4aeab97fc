import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const POLL_MS = 20;

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** Stops answering without closing connections, until `thaw`. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/** Starts a real server that stores nothing on disk. It is ended by `stop`, or when this process ends. */
export async function startRedis(port?: number): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'cloudjar-redis-'));
  const at = port ?? (await freePort());
  const settings = ['--port', String(at), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  // The shell ends the server when this process has ended.
  const script = `
    redis-server "$@" >/dev/null 2>&1 & server=$!
    echo $server
    trap 'kill -KILL $server' TERM
    while kill -0 $server 2>/dev/null && kill -0 ${process.pid} 2>/dev/null; do sleep 1 & wait $!; done
    kill -KILL $server 2>/dev/null; wait $server`;
  const child = spawn('/bin/sh', ['-c', script, 'sh', ...settings], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  const pid = Number(String(await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data')));
  child.unref();
  while (!(await answers(at))) {
    if (child.exitCode !== null) {
      await rm(folder, { recursive: true, force: true });
      throw new Error('redis-server did not start; is it installed?');
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return {
    url: `redis://127.0.0.1:${at}`,
    port: at,
    freeze: () => process.kill(pid, 'SIGSTOP'),
    thaw: () => process.kill(pid, 'SIGCONT'),
    async stop() {
      child.ref();
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (value: boolean): void => {
      socket.destroy();
      resolve(value);
    };
    socket.once('error', () => end(false));
    socket.once('data', (data) => end(String(data).startsWith('+PONG')));
    socket.write('PING\r\n');
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
