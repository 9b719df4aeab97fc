import assert from 'node:assert/strict';
import { startJar } from 'cloudjar/testing';

describe('an inbox', () => {
  it('keeps what it gets', async () => {
    const jar = await startJar();
    const inbox = jar.inbox('orders');
    await fetch(inbox.url, { method: 'POST', body: JSON.stringify({ order: 7 }) });
    assert.deepEqual((await inbox.next()).json(), { order: 7 });
    await jar.close();
  });
});
