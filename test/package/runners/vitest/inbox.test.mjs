import { startJar } from 'cloudjar/testing';
import { expect, test } from 'vitest';

test('an inbox keeps what it gets', async () => {
  const jar = await startJar();
  const inbox = jar.inbox('orders');
  await fetch(inbox.url, { method: 'POST', body: JSON.stringify({ order: 7 }) });
  expect((await inbox.next()).json()).toStrictEqual({ order: 7 });
  await jar.close();
});
