import { JarError, startJar } from 'cloudjar/testing';

test('time moves when the test moves it', async () => {
  const jar = await startJar({ clockStart: new Date('2026-01-31T09:00:00Z') });
  expect(await jar.clock.advance('36h')).toStrictEqual({ now: Date.parse('2026-02-01T21:00:00Z'), fired: 0 });
  const error = await jar.restore('nothing').catch((thrown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(error).toBeInstanceOf(JarError);
  await jar.close();
});
