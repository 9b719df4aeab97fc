import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProbePlan } from '../../../src/kernel/engines/plan.ts';
import type { ContainerEngine, ContainerTarget, ProbeOutcome } from '../../../src/kernel/engines/types.ts';
import type { EngineBench } from './contract.ts';
import { closeJarAfterwards, deploy, eventually, openSharedBench } from './docker-bench.ts';
import { containerPlan, groupPlan, shell } from './plans.ts';

const SERVER = `
  mkdir -p /www/cgi-bin; echo fine > /www/fine; cd /www
  printf '#!/bin/sh\\necho "Status: 302 Found"; echo "Location: /missing"; echo\\n' > cgi-bin/moved
  printf '#!/bin/sh\\nsleep 30\\n' > cgi-bin/slow
  printf '#!/bin/sh\\nif [ "$HTTP_X_KEY" = open ]; then echo "Status: 200 OK"; else echo "Status: 403 Forbidden"; fi; echo\\n' > cgi-bin/guarded
  busybox chmod 755 cgi-bin/*
  httpd -f -p 8080 -h /www`;

closeJarAfterwards();

describe('probes on a container engine', () => {
  let bench: EngineBench;
  let engine: ContainerEngine;

  beforeEach(async ({ skip }) => {
    bench = await openSharedBench({ skip });
    engine = bench.engine;
  });
  afterEach(() => bench?.dispose());

  const start = async (script: string): Promise<ContainerTarget> => {
    const [target] = await deploy(engine, groupPlan({ containers: [containerPlan({ command: shell(script) })] }));
    return target!;
  };
  const http = (path: string, port = 8080, headers: { name: string; value: string }[] = []): ProbePlan['check'] => ({
    kind: 'httpGet',
    path,
    port,
    scheme: 'http',
    headers,
  });
  const exec = (...command: string[]): ProbePlan['check'] => ({ kind: 'exec', command });

  it('ask over HTTP, and take every answer from 200 to 399 for a good one', async () => {
    const target = await start(SERVER);
    const probe = (check: ProbePlan['check'], timeoutMs = 5000): Promise<ProbeOutcome> =>
      engine.probe(target, check, timeoutMs);
    await eventually(async () => (await probe(http('/fine'))).healthy);
    expect(await probe(http('/cgi-bin/moved'))).toEqual({ healthy: true });
    expect(await probe(http('fine'))).toEqual({ healthy: true });
    expect(await probe(http('/missing'))).toEqual({ healthy: false, reason: 'HTTP status 404' });
    expect(await probe(http('/cgi-bin/guarded'))).toEqual({ healthy: false, reason: 'HTTP status 403' });
    expect(await probe(http('/cgi-bin/guarded', 8080, [{ name: 'X-Key', value: 'open' }]))).toEqual({ healthy: true });
    expect(await probe(http('/fine', 8081))).toMatchObject({
      healthy: false,
      reason: expect.stringContaining('ECONNREFUSED'),
    });
    expect(await probe(http('/cgi-bin/slow'), 300)).toEqual({ healthy: false, reason: 'no response within 300 ms' });
  });

  it('ask the container and never the machine that the jar is on', async () => {
    const server = createServer((_request, response) => response.end('from outside'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const target = await start('sleep 1000');
      const { port } = server.address() as AddressInfo;
      expect(await engine.probe(target, http('/', port), 2000)).toMatchObject({ healthy: false });
    } finally {
      server.close();
    }
  });

  it('run a command, and say what it printed when it failed', async () => {
    const target = await start('echo ready > /tmp/state; sleep 1000');
    const probe = (...command: string[]): Promise<ProbeOutcome> => engine.probe(target, exec(...command), 5000);
    await eventually(async () => (await probe('grep', 'ready', '/tmp/state')).healthy);
    expect(await probe('sh', '-c', 'echo not yet; exit 7')).toEqual({ healthy: false, reason: 'not yet' });
    expect(await probe('sh', '-c', 'exit 7')).toEqual({ healthy: false, reason: 'the command ended with exit code 7' });
    expect(await probe('no-such-command')).toMatchObject({ healthy: false });
  });

  it('end a command that takes too long', async () => {
    const target = await start('sleep 1000');
    const outcome = await engine.probe(target, exec('sleep', '777'), 300);
    expect(outcome).toEqual({ healthy: false, reason: 'the command did not end within 300 ms' });
    await eventually(
      async () => (await engine.probe(target, exec('sh', '-c', '! ps | grep -q "[s]leep 777"'), 5000)).healthy,
    );
  });

  it('say that a container has ended', async () => {
    const target = await start('exit 0');
    await eventually(async () => (await engine.observe(target.uid)).containers[0]?.phase === 'exited');
    expect(await engine.probe(target, exec('true'), 1000)).toMatchObject({ healthy: false });
  });
});
