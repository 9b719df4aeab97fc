import { connectJar } from 'cloudjar/client';
import { startJar } from 'cloudjar/testing';

test('an inbox keeps what it gets, for both clients', async () => {
  const jar = await startJar();
  const inbox = jar.inbox('orders');
  await fetch(inbox.url, { method: 'POST', body: JSON.stringify({ order: 7 }) });
  expect((await inbox.next()).json()).toStrictEqual({ order: 7 });
  const connected = connectJar({ url: jar.url, adminKey: jar.adminKey });
  expect((await connected.inbox('orders').next()).json()).toStrictEqual({ order: 7 });
  await jar.close();
});
