import { expect, it } from 'vitest';
import { withoutSecrets } from '../../../../src/services/platform/secrets/task-variables.ts';
import { openWithStore } from '../open-store.ts';

const VALUE = 'hunter2+hunter2/==';

/** A task on its own compute with a secret in a variable, which it prints in every way a program can. */
const leaking = (script: string) => ({
  task_key: 'a',
  new_cluster: {
    spark_version: '16.4.x-scala2.12',
    node_type_id: 'Standard_DS3_v2',
    num_workers: 0,
    spark_env_vars: { PASSWORD: '{{secrets/vault/k}}', PLAIN: 'plain' },
  },
  spark_jar_task: { main_class_name: 'A', cloudjar: script },
});

it('a secret that a task is given shows in no output, message, record, delivery or document', async () => {
  const { running, ask, control, captured } = await openWithStore();
  try {
    const post = async (path: string, body: object) => (await ask('POST', `/api/2.0${path}`, body)).body;
    await post('/secrets/scopes/create', { scope: 'vault' });
    await post('/secrets/put', { scope: 'vault', key: 'k', string_value: VALUE });
    const { id } = await post('/notification-destinations', {
      display_name: 'hook',
      config: { generic_webhook: { url: `${running.url}/_jar/inbox/hook` } },
    });
    const script = [
      'echo "$PLAIN $PASSWORD"',
      'echo "::cloudjar::value {\\"key\\":\\"v\\",\\"value\\":\\"$PASSWORD\\"}"',
      'echo "::cloudjar::exit \\"$PASSWORD\\""',
      'echo "failed with $PASSWORD"',
      'exit 1',
    ].join('; ');
    const submitted = await post('/jobs/runs/submit', {
      tasks: [leaking(script)],
      webhook_notifications: { on_failure: [{ id }] },
    });
    await control('POST', 'clock/advance', { by: '1h' });
    const run = await ask('GET', `/api/2.2/jobs/runs/get?run_id=${submitted.run_id}`);
    const output = await ask('GET', `/api/2.2/jobs/runs/get-output?run_id=${run.body.tasks[0].run_id}`);
    expect(output.body).toMatchObject({ logs: expect.stringContaining('plain [REDACTED]') });
    expect(output.body).toMatchObject({ error: 'failed with [REDACTED]' });
    const inbox = await control('GET', 'inbox/hook/requests');
    expect(inbox.text).toContain('jobs.on_failure');
    const places = {
      run: run.text,
      output: output.text,
      changes: (await control('GET', 'changes?%24top=500')).text,
      deliveries: (await control('GET', 'deliveries')).text,
      work: (await control('GET', 'work')).text,
      inbox: inbox.text,
      store: (await captured()).join('\n'),
    };
    const base64 = Buffer.from(VALUE).toString('base64');
    for (const [place, text] of Object.entries(places))
      for (const clear of [VALUE, 'hunter2', base64]) expect(text, place).not.toContain(clear);
    const { value } = (await ask('GET', '/api/2.0/secrets/get?scope=vault&key=k')).body;
    expect(value).toBe(base64);
  } finally {
    await running.close();
  }
});

it('a run gets the secrets that its identity may read, and says which it may not', async () => {
  const { running, ask, control } = await openWithStore();
  try {
    const post = async (path: string, body: object, token?: string) =>
      (await ask('POST', `/api/2.0${path}`, body, token)).body;
    await post('/secrets/scopes/create', { scope: 'vault' });
    await post('/secrets/put', { scope: 'vault', key: 'k', string_value: VALUE });
    const licensed = String((await control('POST', 'tokens', { user: 'licensed', ttl: '3650d' })).body.access_token);
    const me = (await ask('GET', '/api/2.0/preview/scim/v2/Me', undefined, licensed)).body.id;
    await ask('PATCH', `/api/2.0/preview/scim/v2/Users/${me}`, {
      Operations: [{ op: 'add', path: 'entitlements', value: [{ value: 'allow-cluster-create' }] }],
    });
    const { run_id } = await post('/jobs/runs/submit', { tasks: [leaking('echo $PASSWORD')] }, licensed);
    await control('POST', 'clock/advance', { by: '1h' });
    const run = await ask('GET', `/api/2.2/jobs/runs/get?run_id=${run_id}`);
    expect(run.text).toContain('does not have READ permission on the secret scope vault');
    expect(run.text).not.toContain('hunter2');
    await post('/secrets/acls/put', { scope: 'vault', principal: 'licensed@vendor.example', permission: 'READ' });
    const again = await post('/jobs/runs/submit', { tasks: [leaking('echo $PASSWORD')] }, licensed);
    await control('POST', 'clock/advance', { by: '1h' });
    const second = await ask('GET', `/api/2.2/jobs/runs/get?run_id=${again.run_id}`);
    expect(second.body).toMatchObject({ state: { result_state: 'SUCCESS' } });
  } finally {
    await running.close();
  }
});

it('the longest secret goes first, and one of a million characters is found once', () => {
  expect(withoutSecrets('abcd abc', ['abc', 'abcd'])).toBe('[REDACTED] [REDACTED]');
  expect(withoutSecrets('a.c abc', ['a.c'])).toBe('[REDACTED] abc');
  const long = 'x'.repeat(1_000_000);
  expect(withoutSecrets(`${long}y`, [long])).toBe('[REDACTED]y');
});
