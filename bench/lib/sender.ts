import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openJar, type RunningJar } from '../../src/jar/index.ts';
import { loadConfig } from '../../src/kernel/config/config.ts';
import type { DeliveryPolicy } from '../../src/kernel/delivery/index.ts';
import { WIDGET_PARTS } from '../../test/services/resources/widgets.ts';
import { wholeService } from '../../test/support/whole-service.ts';

/** A jar in this process, on a data folder, with a service that sends under this policy. */
export function startSender(data: string, policy: DeliveryPolicy): Promise<RunningJar> {
  const config = loadConfig({ flags: { port: 0, httpsPort: 0, data }, env: {}, cwd: '/' });
  return openJar({
    config,
    services: [wholeService({ ...WIDGET_PARTS, deliveries: [policy], eager: true })],
    logLevel: 'error',
  });
}

export interface Receivers {
  readonly urls: readonly string[];
  /** Total number of messages that the receivers got so far. */
  messages(): Promise<number>;
  stop(): void;
}

export async function startReceivers(count: number, dead = 0): Promise<Receivers> {
  const program = fileURLToPath(new URL('receivers-process.mjs', import.meta.url));
  const child = fork(program, [String(count), String(dead)], { execArgv: [] });
  const ports = await new Promise<number[]>((resolve, reject) => {
    child.once('message', (message) => resolve(message as number[]));
    child.once('exit', () => reject(new Error('the receivers did not start')));
  });
  return {
    urls: ports.map((port) => `http://127.0.0.1:${port}/hook`),
    messages: () =>
      new Promise((resolve) => {
        child.once('message', (message) => resolve((message as { messages: number }).messages));
        child.send('how many');
      }),
    stop: () => child.disconnect(),
  };
}

/** About the size of a small event. */
export const EVENT = JSON.stringify({
  id: '10000000-0000-4000-8000-000000000001',
  subject:
    '/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups/group-1/providers/Vendor.Test/widgets/one',
  eventType: 'Vendor.Resources.ResourceWriteSuccess',
  eventTime: '2030-01-01T00:00:00.000Z',
  data: { operationName: 'Vendor.Test/widgets/write', status: 'Succeeded', correlationId: 'c0ffee' },
  dataVersion: '2',
  metadataVersion: '1',
});
