import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { EngineClient } from '../../../../src/kernel/engines/docker/client.ts';
import { startJar, type TestJar } from '../../../../src/testing/index.ts';
import { eventually } from '../../../support/eventually.ts';
import { importPythonImage } from '../../../support/python-image.ts';
import { usePodman } from '../../../support/use-podman.ts';
import { PLAIN } from '../compute/support.ts';

/** The work of contexts runs for sixteen of them at a time. */
const STUCK = process.env.CLOUDJAR_SOAK === '1' ? 17 : 2;

/** Where code removes the sign that there was a socket, too, the socket is waited for as long as at a start. */
const REMOVED = [
  ['.cloudjar-context'],
  ...(process.env.CLOUDJAR_SOAK === '1' ? [['.cloudjar-context', '.cloudjar-context.opened']] : []),
];

/** Code in the containers of contexts that means harm: its context may be lost, the jar goes on. */
describe('hostile commands of execution contexts', () => {
  let jar: TestJar;
  let engine: EngineClient;
  let token: string;
  let clusterId: string;

  beforeEach(async (context) => {
    if (jar) return;
    const socket = await usePodman(context);
    engine = new EngineClient({ kind: 'unix', path: socket, name: socket });
    await importPythonImage(engine, 'local/python');
    const settings = { containers: { socket, stopGraceSeconds: 0 } };
    jar = await startJar({ engine: 'docker', clock: 'shifted', settings });
    token = await jar.token({ user: 'admin', ttl: '365d' });
    clusterId = (await call('POST', '2.1/clusters/create', PLAIN)).cluster_id;
    await jar.clock.advance('5m');
  });
  afterAll(async () => {
    engine?.close();
    await jar?.close();
  });

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  async function call(method: string, path: string, body?: object): Promise<any> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = body ? { body: JSON.stringify(body) } : {};
    const answer = await fetch(`${jar.url}/api/${path}`, { method, headers, ...sent });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }
  const contextAt = (id: string) => `clusterId=${clusterId}&contextId=${id}`;

  async function open(): Promise<string> {
    const { id } = await call('POST', '1.2/contexts/create', { clusterId, language: 'python' });
    await eventually(async () =>
      expect((await call('GET', `1.2/contexts/status?${contextAt(id)}`)).status).toBe('Running'),
    );
    return id;
  }
  const begin = async (contextId: string, command: string, language = 'python'): Promise<string> =>
    (await call('POST', '1.2/commands/execute', { clusterId, contextId, language, command })).id;
  const reached = (contextId: string, id: string, ...wanted: string[]) =>
    eventually(async () => {
      const seen = await call('GET', `1.2/commands/status?${contextAt(contextId)}&commandId=${id}`);
      expect(wanted).toContain(seen.status);
      return seen;
    });
  const run = async (contextId: string, command: string) =>
    reached(contextId, await begin(contextId, command), 'Finished', 'Error');
  const destroy = (contextId: string) => call('POST', '1.2/contexts/destroy', { clusterId, contextId });

  it('output of 100 MB, of any characters, is cut, and a table that is too large is refused', async () => {
    const context = await open();
    expect((await run(context, 'for _ in range(100): print("x" * 1_000_000)')).results).toMatchObject({
      resultType: 'text',
      truncated: true,
    });
    expect((await run(context, '%sh yes | head -c 100000000')).results.data).toHaveLength(1024 * 1024 - 1);
    expect((await run(context, 'print("a\\0b\\ud800c")')).results.data).toMatch(/^a\0b.c$/u);
    expect((await run(context, 'raise ValueError("\\0\\ud800")')).results.summary).toContain('ValueError');
    expect((await run(context, 'display([{"x": "y" * 1_000_000} for _ in range(100)])')).results).toMatchObject({
      resultType: 'error',
      cause: expect.stringContaining('too large'),
    });
    const deep = 'x = []\nfor _ in range(5000): x = [x]\ndisplay([[x]])';
    expect((await run(context, deep)).results).toMatchObject({ resultType: 'error' });
    expect((await run(context, 'y = {}\nfor _ in range(900): y = {"a": y}\ndisplay([y])')).status).toMatch(
      /Finished|Error/,
    );
    expect((await run(context, '1 + 1')).results).toEqual({ resultType: 'text', data: '2' });
    await destroy(context);
  });

  it('commands that no signal reaches hold up no other context, however many are cancelled', async () => {
    const stuck: string[] = [];
    const deaf = 'import sys, time\nsys.modules["__main__"].reply = lambda request: time.sleep(1e6)';
    for (let n = 0; n < STUCK; n++) {
      const context = await open();
      await run(context, deaf);
      const id = await begin(context, '1');
      await reached(context, id, 'Running');
      await call('POST', '1.2/commands/cancel', { clusterId, contextId: context, commandId: id });
      await reached(context, id, 'Cancelling');
      stuck.push(context);
    }
    const other = await open();
    expect((await run(other, '6 * 7')).results.data).toBe('42');
    for (const context of [...stuck, other]) await destroy(context);
  });

  it.each(REMOVED)(
    'a context whose interpreter cannot be reached any more without %j is lost',
    {
      timeout: 240_000,
    },
    async (...names) => {
      const context = await open();
      const removal = names.map((name) => `os.unlink("/tmp/${name}")`).join('; ');
      const id = await begin(context, `import os\n${removal}`);
      await reached(context, id, 'Finished', 'Error');
      const next = await begin(context, '1');
      expect(await reached(context, next, 'Error')).toMatchObject({ results: { resultType: 'error' } });
      await destroy(context);
    },
  );
});
