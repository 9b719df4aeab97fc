import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { usePodman } from '../support/use-podman.ts';
import { spawnCli } from './cli.ts';

/** The line about the engine in the output of a start. */
async function engineLine(flags: readonly string[], env: Record<string, string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'cloudjar-engine-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const args = ['start', '--port', '0', '--https-port', '0', '--memory', '--data', folder, ...flags];
  const jar = spawnCli(args, { env });
  const [, line = ''] = await jar.printed(/^ {2}engine {3}(.*)$/m);
  jar.kill('SIGTERM');
  await jar.result;
  return line;
}

const NOWHERE = 'unix:///nowhere/engine.sock';

describe('a start says what runs container groups', () => {
  test('uses an engine that answers, if one is available', async (context) => {
    const socket = await usePodman(context);
    expect(await engineLine([], { DOCKER_HOST: `unix://${socket}` })).toMatch(/^Podman \d\S* at \//);
  });

  test('simulates containers if no engine is available', async () => {
    const line = await engineLine([], { DOCKER_HOST: NOWHERE });
    expect(line).toBe('simulated containers, since neither Docker nor Podman answers');
  });

  test('a simulation that was asked for', async () => {
    expect(await engineLine(['--engine', 'simulated'], {})).toBe('simulated containers');
  });

  test('and it refuses to start without the engine that was asked for', async () => {
    const args = ['start', '--port', '0', '--https-port', '0', '--memory', '--engine', 'docker'];
    const { code, stderr } = await spawnCli(args, { env: { DOCKER_HOST: NOWHERE } }).result;
    expect(code).not.toBe(0);
    expect(stderr).toContain(`DOCKER_HOST names a container engine at ${NOWHERE}, but the socket does not exist`);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
