import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { pause } from '../../../../src/kernel/time/timers.ts';
import { type CliProcess, spawnCli } from '../../../cli/cli.ts';
import { StandInCluster } from '../../../kernel/engines/kubernetes/api-server.ts';
import { SUBSCRIPTION } from '../../../support/jars.ts';
import { container, groupBody, groupPath } from '../small-groups.ts';

const KILLS = process.env.CLOUDJAR_SOAK === '1' ? 20 : 2;
const PATIENCE_MS = 120_000;
const POLL_MS = 50;
/** Each poll is a request to the jar, and costs both processes processor time. */
const REQUEST_POLL_MS = 250;

const cluster = new StandInCluster();
await cluster.start();
const folder = mkdtempSync(join(tmpdir(), 'cloudjar-cluster-crash-'));
const settings = { services: { containers: { kubernetes: { kubeconfig: cluster.kubeconfig }, stopGraceSeconds: 1 } } };
writeFileSync(join(folder, 'cloudjar.config.json'), JSON.stringify(settings));
let jar: { process: CliProcess; url: string; token: string } | undefined;

afterAll(async () => {
  await kill();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  const args = ['start', '--port', '0', '--https-port', '0', '--data', 'data', '--engine', 'kubernetes'];
  const process = spawnCli(args, { cwd: folder });
  const url = (await process.printed(/ready on (\S+)/))[1] ?? '';
  const key = readFileSync(join(folder, 'data/admin.key'), 'utf8').trim();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const reply = await fetch(`${url}/_jar/tokens`, { method: 'POST', headers, body: '{"ttl":"30d"}' });
  jar = { process, url, token: ((await reply.json()) as { access_token: string }).access_token };
}

async function kill(): Promise<void> {
  jar?.process.kill('SIGKILL');
  await jar?.process.result;
  jar = undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: looked into as it comes
async function call(method: string, path: string, body?: unknown): Promise<any> {
  const headers = { authorization: `Bearer ${jar?.token}`, 'content-type': 'application/json' };
  const reply = await fetch(jar?.url + path, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await reply.text();
  return text === '' ? undefined : JSON.parse(text);
}

async function until(what: string, is: () => boolean | Promise<boolean>, everyMs = POLL_MS): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await is())) {
    if (Date.now() > end) expect.fail(`not in time: ${what}`);
    await pause(everyMs);
  }
}

const kinds = (): string[] =>
  [...cluster.pods(), ...cluster.secrets(), ...cluster.services()].map(({ kind }) => kind).sort();

/** Kills the jar after this many further requests to the cluster. */
async function killAfter(requests: number): Promise<void> {
  const from = cluster.requests.length;
  await until('the jar asks the cluster', () => cluster.requests.length >= from + requests);
  await kill();
}

describe('a jar that is killed', () => {
  const web = container('web', 'web:1', {
    ports: [{ port: 80 }],
    environmentVariables: [{ name: 'PASSWORD', secureValue: 'hidden' }],
  });
  const body = groupBody([web], { ipAddress: { type: 'Public', ports: [{ port: 80, protocol: 'TCP' }] } });

  it('finds its group again, neither twice nor lost, and clears away all of a deleted one', async () => {
    await start();
    await call('PUT', `/subscriptions/${SUBSCRIPTION}/resourcegroups/shop?api-version=2021-04-01`, {
      location: 'eastus',
    });
    for (let n = 0; n < KILLS; n++) {
      // At a different point each time: from before the first Secret to after the Pod.
      await Promise.all([call('PUT', groupPath('web'), body).catch(() => {}), killAfter(2 + n * 4)]);
      await start();
      await call('PUT', groupPath('web'), body);
      const runs = async () => {
        const { properties } = await call('GET', groupPath('web'));
        return properties?.provisioningState === 'Succeeded' && properties.instanceView.state === 'Running';
      };
      await until('the group runs', runs, REQUEST_POLL_MS);
      await until('one of each is there', () => kinds().join() === 'Pod,Secret,Service');
      await Promise.all([call('DELETE', groupPath('web')).catch(() => {}), killAfter(1 + n * 2)]);
      await start();
      await call('DELETE', groupPath('web'));
      await until('nothing is left', () => kinds().length === 0);
    }
  });
});
