const assert = require('node:assert/strict');
const { test } = require('node:test');
const { startJar } = require('cloudjar/testing');

test('an inbox keeps what it gets', async () => {
  const jar = await startJar();
  const inbox = jar.inbox('orders');
  await fetch(inbox.url, { method: 'POST', body: JSON.stringify({ order: 7 }) });
  assert.deepEqual((await inbox.next()).json(), { order: 7 });
  await jar.close();
});
