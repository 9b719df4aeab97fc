import { expect, it } from 'vitest';
import { startJar } from '../../src/testing/index.ts';

it('settings under a name that no service has are refused, with the name that was meant', async () => {
  const starting = startJar({ settings: { event: { traces: 1 } } });
  await expect(starting).rejects.toThrow("services.event: there is no such service; did you mean 'events'?");
});

it('an option that there is not is refused, with the name that was meant', async () => {
  const misspelt = { allowHttpLopback: true } as object;
  await expect(startJar(misspelt)).rejects.toThrow(
    "startJar has no option 'allowHttpLopback'; did you mean 'allowHttpLoopback'?",
  );
  await expect(startJar({ bogus: 1 } as object)).rejects.toThrow(/^startJar has no option 'bogus'$/);
});

it('settings of one service are no business of another', async () => {
  const jar = await startJar({ settings: { events: { strictNames: true } } });
  await jar.close();
});

it('a jar that is closed says so, and is closed once', async () => {
  const jar = await startJar();
  const closing = [jar.close(), jar.close(), jar[Symbol.asyncDispose]()];
  const calls = [() => jar.token(), () => jar.clock.advance('1h'), () => jar.inbox('orders').requests()];
  for (const call of calls)
    await expect(call()).rejects.toMatchObject({ code: 'JarClosed', message: 'the jar is closed' });
  expect(() => jar.trust()).toThrow('the jar is closed');
  expect(() => jar.env()).toThrow('the jar is closed');
  await Promise.all(closing);
});
