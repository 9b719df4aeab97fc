import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { adminKey, type StartedJar, startCli } from '../../../cli/cli.ts';
import { device, errorAttachment, event, managedError, type SentLog, startSession } from '../sdk.ts';

const ARGS = ['--log-level', 'trace'];
const PHONES = 40;

test('logs that are sent again after the jar was killed count once, and its own log reveals no secret', async () => {
  let jar: StartedJar = await startCli(ARGS);
  const keys = await fetch(`${jar.url}/_jar/keys`, { headers: { authorization: `Bearer ${adminKey(jar.folder)}` } });
  const { lifecycle: token } = (await keys.json()) as { lifecycle: string };
  // biome-ignore lint/suspicious/noExplicitAny: the test looks into answers of every shape
  const call = async (method: string, path: string, body?: object): Promise<any> => {
    const headers = { 'x-api-token': token, 'content-type': 'application/json' };
    const answer = await fetch(`${jar.url}/v0.1${path}`, { method, headers, body: body ? JSON.stringify(body) : null });
    return answer.json();
  };
  const app = await call('POST', '/apps', { display_name: 'shop', name: 'shop', os: 'Android', platform: 'Java' });
  const timestamp = new Date().toISOString();
  const complete = (log: SentLog) => ({ timestamp, device: device(), ...log });
  const phones = Array.from({ length: PHONES }, (_, number) => ({
    id: randomUUID(),
    logs: [startSession(), event('Bought', { what: 'pen' }), ...(number < 20 ? [managedError()] : [])].map(complete),
  }));
  const send = ({ id, logs }: { readonly id: string; readonly logs: readonly SentLog[] }) =>
    fetch(`${jar.url}/logs?api-version=1.0.0`, {
      method: 'POST',
      headers: { 'app-secret': app.app_secret, 'install-id': id, 'content-type': 'application/json' },
      body: JSON.stringify({ logs }),
    }).then(
      ({ status }) => status,
      () => undefined,
    );

  const first = phones.map(send);
  await Promise.race(first);
  jar.kill('SIGKILL');
  const answered = (await Promise.all(first)).filter((status) => status === 200).length;
  expect(answered).toBeGreaterThan(0);
  const { stderr, stdout } = await jar.result;

  jar = await startCli(ARGS, { folder: jar.folder });
  const figures = async () => {
    const start = `start=${new Date(Date.parse(timestamp) - 86_400_000).toISOString()}`;
    const { events } = await call('GET', `/apps/admin/shop/analytics/events?${start}`);
    const { total_count: sessions } = await call(
      'GET',
      `/apps/admin/shop/analytics/sessions_per_device?interval=P1D&${start}`,
    );
    const { errorGroups } = await call('GET', `/apps/admin/shop/errors/errorGroups?${start}`);
    return { bought: events[0].count, devices: events[0].device_count, sessions, crashes: errorGroups[0].count };
  };
  expect((await figures()).bought).toBeGreaterThanOrEqual(answered);
  for (const phone of phones) expect(await send(phone)).toBe(200);
  expect(await figures()).toEqual({ bought: PHONES, devices: PHONES, sessions: PHONES, crashes: 20 });

  const crash = phones[0]?.logs[2] as SentLog;
  const attachment: SentLog = complete(errorAttachment(String(crash.id), 'what the user did'));
  await send({ id: String(phones[0]?.id), logs: [attachment] });
  const path = `/apps/admin/shop/errors/${crash.id}/attachments/${attachment.id}/location`;
  const { uri } = await call('GET', path);
  expect(await (await fetch(uri)).text()).toBe('what the user did');
  const said = `${stdout}${stderr}${jar.stdout()}${jar.stderr()}`;
  expect(said).toContain('Lifecycle_logs_send');
  const code = new URL(uri).searchParams.get('sig') as string;
  for (const secret of [app.app_secret, token, code]) expect(said).not.toContain(secret);
});
