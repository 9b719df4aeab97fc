import { createTransport } from 'nodemailer';
import { expect, it, onTestFinished } from 'vitest';
import { adminKey, type StartedJar, startCli } from '../../../cli/cli.ts';
import { startReceiver } from '../../../kernel/delivery/receivers.ts';

it('a mail that is the first thing that a started jar gets is stored, and a subscription of its last run is notified of it', async () => {
  const bodies: string[] = [];
  const receiver = await startReceiver(({ path, body }, response) => {
    const token = new URL(path, 'http://any').searchParams.get('validationToken');
    if (token !== null) return void response.setHeader('content-type', 'text/plain').end(token);
    bodies.push(body);
    response.writeHead(202).end();
  });
  onTestFinished(() => receiver.close());
  const args = ['--allow-http-loopback', '--smtp-port', '0'];
  let jar: StartedJar = await startCli(args);
  onTestFinished(() => void jar.kill('SIGKILL'));
  const post = async (path: string, body: object, bearer: string) => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
    const response = await fetch(jar.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as Record<string, string>;
  };
  const { access_token: token = '' } = await post('/_jar/tokens', {}, adminKey(jar.folder));
  const expirationDateTime = new Date(Date.now() + 86_400_000).toISOString();
  const subscription = { changeType: 'created', notificationUrl: receiver.url, resource: 'me/messages' };
  expect(await post('/v1.0/subscriptions', { ...subscription, expirationDateTime }, token)).toHaveProperty('id');
  jar.kill('SIGTERM');
  await jar.result;

  jar = await startCli(args, { folder: jar.folder });
  const [, port] = await jar.printed(/smtp:\/\/\S+:(\d+)/);
  const transport = createTransport({ host: '127.0.0.1', port: Number(port), ignoreTLS: true });
  const { response } = await transport.sendMail({
    from: 'carol@fabrikam.example',
    to: 'admin@vendor.example',
    subject: 'First',
    text: 'At noon?',
  });
  expect(response).toMatch(/^250 /);
  await expect.poll(() => bodies.length, { timeout: 60_000 }).toBe(1);
});
