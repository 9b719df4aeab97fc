import { expect, it, onTestFinished } from 'vitest';
import { EngineClient, filters } from '../../../../src/kernel/engines/docker/client.ts';
import { adminKey, type StartedJar, startCli, temporaryFolder } from '../../../cli/cli.ts';
import { eventually } from '../../../support/eventually.ts';
import { importPythonImage } from '../../../support/python-image.ts';
import { usePodman } from '../../../support/use-podman.ts';
import { PLAIN } from '../compute/support.ts';

it('contexts of a killed jar go on with its next start, and no container is left by a cluster or workspace that ends', {
  timeout: 300_000,
}, async (context) => {
  const socket = await usePodman(context);
  const engine = new EngineClient({ kind: 'unix', path: socket, name: socket });
  onTestFinished(() => engine.close());
  await importPythonImage(engine, 'local/python');
  const folder = temporaryFolder();
  const flags = ['--clock', 'shifted', '--engine', 'docker'];
  const start = () => startCli(flags, { folder, env: { DOCKER_HOST: `unix://${socket}` } });
  let jar: StartedJar = await start();
  let token = '';
  let workspace = '';

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  async function call(method: string, path: string, body?: object): Promise<any> {
    const isControl = path.startsWith('/_jar/');
    const headers = {
      authorization: `Bearer ${isControl ? adminKey(folder) : token}`,
      'content-type': 'application/json',
      ...(workspace !== '' && !isControl && { 'x-databricks-workspace-id': workspace }),
    };
    const answer = await fetch(jar.url + path, { method, headers, body: body ? JSON.stringify(body) : null });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? {} : JSON.parse(text);
  }
  const containers = (label: string) =>
    engine.json<{ Id: string; Labels: Record<string, string> }[]>(
      'GET',
      `/containers/json?all=true&filters=${encodeURIComponent(filters({ label: [label] }))}`,
    );
  /** By which its containers are told from those of other jars on the same engine. */
  async function labelOf(clusterId: string): Promise<string> {
    for (const { Id, Labels } of await containers('cloudjar.jar')) {
      const { Config } = await engine.json<{ Config: { Env?: string[] } }>('GET', `/containers/${Id}/json`);
      if (Config.Env?.includes(`DB_CLUSTER_ID=${clusterId}`)) return `cloudjar.jar=${Labels['cloudjar.jar']}`;
    }
    throw new Error('the cluster has no container');
  }

  token = (await call('POST', '/_jar/tokens', { ttl: '3650d' })).access_token;
  await call('GET', '/api/2.0/preview/scim/v2/Me');
  const { value: all } = await call('GET', '/_jar/platform/workspaces');
  const account = all[0].accountId;
  const made = await call('POST', `/api/2.0/accounts/${account}/workspaces`, { workspace_name: 'doomed' });
  workspace = String(made.workspace_id);

  const cluster = async (): Promise<string> => {
    const { cluster_id } = await call('POST', '/api/2.1/clusters/create', PLAIN);
    await call('POST', '/_jar/clock/advance', { by: '5m' });
    return cluster_id;
  };
  const open = async (clusterId: string): Promise<string> => {
    const { id } = await call('POST', '/api/1.2/contexts/create', { clusterId, language: 'python' });
    return id;
  };
  const begin = async (clusterId: string, contextId: string, command: string): Promise<string> =>
    (await call('POST', '/api/1.2/commands/execute', { clusterId, contextId, language: 'python', command })).id;
  const reached = (clusterId: string, contextId: string, id: string, wanted: string) =>
    eventually(async () => {
      const at = `clusterId=${clusterId}&contextId=${contextId}&commandId=${id}`;
      const seen = await call('GET', `/api/1.2/commands/status?${at}`);
      expect(seen.status).toBe(wanted);
      return seen;
    });
  const kill = async () => {
    jar.kill('SIGKILL');
    await jar.result;
    jar = await start();
  };

  const [first, second] = [await cluster(), await cluster()];
  const [one, two] = [await open(first), await open(second)];
  const slow = 'import time\nruns = globals().get("runs", 0) + 1\ntime.sleep(4)\nruns';
  const running = [await begin(first, one, slow), await begin(second, two, slow)] as const;
  await reached(first, one, running[0], 'Running');
  await reached(second, two, running[1], 'Running');
  // Not begun yet when the jar dies: its container is made by nobody, or by the jar that comes next.
  const unborn = await open(first);
  await kill();
  expect(await reached(first, one, running[0], 'Finished')).toMatchObject({ results: { data: '1' } });
  expect(await reached(second, two, running[1], 'Finished')).toMatchObject({ results: { data: '1' } });
  expect(await reached(first, unborn, await begin(first, unborn, '6 * 7'), 'Finished')).toMatchObject({
    results: { data: '42' },
  });

  const label = await labelOf(first);
  expect((await containers(label)).length).toBeGreaterThanOrEqual(3);

  // The cluster ends in the middle of a command, and the jar right after it.
  await begin(first, one, 'import time\ntime.sleep(1000)');
  await call('POST', '/api/2.1/clusters/delete', { cluster_id: first });
  await kill();
  await expect(begin(first, one, '1')).rejects.toThrow(/ContextNotFound|ClusterNotReady/);
  await begin(second, two, 'import time\ntime.sleep(1000)');
  await call('DELETE', `/api/2.0/accounts/${account}/workspaces/${workspace}`);
  await kill();
  await call('POST', '/_jar/clock/advance', { by: '1h' });
  await eventually(async () => expect(await containers(label)).toEqual([]));
});
