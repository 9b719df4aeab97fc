import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { ConfigError } from '../../../../src/kernel/config/config.ts';
import { type Connection, connect as connectBy } from '../../../../src/kernel/engines/kubernetes/connection.ts';
import type { EngineSettings } from '../../../../src/kernel/engines/settings.ts';
import { withCluster } from './harness.ts';

const bench = withCluster();
const folder = mkdtempSync(join(tmpdir(), 'kubeconfigs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

function kubeconfig(name: string, server: string, namespace?: string): string {
  const path = join(folder, name);
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'one',
    clusters: [{ name: 'one', cluster: { server } }],
    users: [{ name: 'me', user: {} }],
    contexts: [
      { name: 'one', context: { cluster: 'one', user: 'me', namespace } },
      { name: 'two', context: { cluster: 'one', user: 'me', namespace: 'second' } },
    ],
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}

const connect = (settings: EngineSettings): Promise<Connection> =>
  connectBy({ settings, settingsPath: 'services.containers' });

describe('the way to a cluster', () => {
  it('is found as kubectl finds it', async () => {
    vi.stubEnv('KUBECONFIG', kubeconfig('found', 'https://cluster.example', 'mine'));
    const { server, namespace } = await connect({});
    expect({ server, namespace }).toEqual({ server: 'https://cluster.example', namespace: 'mine' });
  });

  it('is that of the settings, with their context and namespace', async () => {
    const path = kubeconfig('given', 'https://cluster.example');
    expect((await connect({ kubernetes: { kubeconfig: path } })).namespace).toBe('default');
    expect((await connect({ kubernetes: { kubeconfig: path, context: 'two' } })).namespace).toBe('second');
    const third = await connect({ kubernetes: { kubeconfig: path, context: 'two', namespace: 'third' } });
    expect(third.namespace).toBe('third');
  });

  it('is refused with the reason where there is none', async () => {
    const path = kubeconfig('mistaken', 'https://cluster.example');
    await expect(connect({ kubernetes: { kubeconfig: join(folder, 'nowhere') } })).rejects.toThrow(ConfigError);
    await expect(connect({ kubernetes: { kubeconfig: path, context: 'three' } })).rejects.toThrow(/context three/);
    writeFileSync(join(folder, 'nonsense'), ': : :');
    await expect(connect({ kubernetes: { kubeconfig: join(folder, 'nonsense') } })).rejects.toThrow(ConfigError);
    vi.stubEnv('KUBECONFIG', '');
    vi.stubEnv('HOME', folder);
    await expect(connect({})).rejects.toThrow(/no kubeconfig was found/);
  });

  it('may do without TLS on the same machine only', async () => {
    const near = kubeconfig('near', 'http://127.0.0.1:8001');
    const far = kubeconfig('far', 'http://cluster.example:8001');
    await expect(connect({ kubernetes: { kubeconfig: near } })).resolves.toMatchObject({ namespace: 'default' });
    await expect(connect({ kubernetes: { kubeconfig: far } })).rejects.toThrow(/needs https/);
  });

  it('takes few connections for many requests', async () => {
    const connection = await connect({ kubernetes: { kubeconfig: bench.cluster.kubeconfig } });
    for (let n = 0; n < 20; n++) await connection.core.listNode({});
    expect(bench.cluster.connections).toBeLessThan(5);
    await connection.close();
  });
});
