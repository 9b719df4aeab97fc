import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { JarError, startJar } from 'cloudjar/testing';

const jar = await startJar({ clockStart: '2026-01-31T09:00:00Z' });
after(() => jar.close());

test('time moves when the test moves it', async () => {
  await jar.clock.advance('36h');
  assert.equal(jar.clock.now().toISOString(), '2026-02-01T21:00:00.000Z');
});

test('a refusal is an error of the package', async () => {
  await assert.rejects(jar.token({ user: 'nobody' }), JarError);
});
