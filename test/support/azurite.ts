import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../servers/node_modules/azurite/dist/src/azurite.js', import.meta.url));
/** Azurite's default account with its well-known key. */
const ACCOUNT = 'devstoreaccount1';
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

export interface AzuriteServer {
  /** For the account of this server; with another key, the server refuses it. */
  connectionString(key?: string): string;
  stop(): Promise<void>;
}

/** Starts a real storage server that keeps everything in memory. It is ended by `stop`, or when this process ends. */
export async function startAzurite(): Promise<AzuriteServer> {
  if (!existsSync(PROGRAM)) throw new Error('Azurite is not installed (test/servers)');
  const settings = ['--inMemoryPersistence', '--blobPort', '0', '--queuePort', '0', '--tablePort', '0'];
  // The shell ends the server when this process has ended.
  const script = `
    "$@" & server=$!
    trap 'kill -KILL $server' TERM
    while kill -0 $server 2>/dev/null && kill -0 ${process.pid} 2>/dev/null; do sleep 1 & wait $!; done
    kill -KILL $server 2>/dev/null; wait $server`;
  const command = [process.execPath, PROGRAM, ...settings, '--skipApiVersionCheck', '--disableTelemetry'];
  const child = spawn('/bin/sh', ['-c', script, 'sh', ...command], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  const [blob, queue] = await portsOf(child.stdout as Readable, ended);
  child.unref();
  (child.stdout as Readable & { unref?(): void }).unref?.();
  return {
    connectionString: (key = KEY) =>
      [
        'DefaultEndpointsProtocol=http',
        `AccountName=${ACCOUNT}`,
        `AccountKey=${key}`,
        `BlobEndpoint=http://127.0.0.1:${blob}/${ACCOUNT}`,
        `QueueEndpoint=http://127.0.0.1:${queue}/${ACCOUNT}`,
      ].join(';'),
    async stop() {
      child.ref();
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The system chooses the ports; the server prints them. */
async function portsOf(output: Readable, ended: Promise<unknown>): Promise<[blob: number, queue: number]> {
  let text = '';
  const found = new Promise<[number, number]>((resolve) => {
    output.on('data', (chunk) => {
      text += chunk;
      const [blob, queue] = ['Blob', 'Queue'].map((name) => {
        return new RegExp(`${name} service is successfully listening at http://[^:]+:(\\d+)`).exec(text)?.[1];
      });
      if (blob !== undefined && queue !== undefined) resolve([Number(blob), Number(queue)]);
    });
  });
  return Promise.race([
    found,
    ended.then(() => {
      throw new Error(`Azurite did not start: ${text.trim().split('\n').at(-1)}`);
    }),
  ]);
}
