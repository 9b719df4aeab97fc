const assert = require('node:assert/strict');
const { JarError, startJar } = require('cloudjar/testing');

describe('a jar', () => {
  let jar;
  before(async () => {
    jar = await startJar({ clockStart: '2026-01-31T09:00:00Z' });
  });
  after(() => jar.close());

  it('moves time when the test moves it', async () => {
    await jar.clock.advance('36h');
    assert.equal(jar.clock.now().toISOString(), '2026-02-01T21:00:00.000Z');
  });

  it('refuses with an error of the package', () => assert.rejects(jar.token({ user: 'nobody' }), JarError));
});
