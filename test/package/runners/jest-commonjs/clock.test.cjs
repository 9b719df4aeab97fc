const { JarError, startJar } = require('cloudjar/testing');

let jar;
beforeAll(async () => {
  jar = await startJar({ clockStart: new Date('2026-01-31T09:00:00Z') });
});
beforeEach(() => jar.reset());
afterAll(() => jar.close());

test('time moves when the test moves it', async () => {
  expect(await jar.clock.advance('36h')).toStrictEqual({ now: Date.parse('2026-02-01T21:00:00Z'), fired: 0 });
  expect(jar.clock.now()).toEqual(new Date('2026-02-01T21:00:00Z'));
});

test('errors are those of the realm of the test, whoever threw them', async () => {
  const refusals = [
    () => jar.token({ user: 'nobody' }), // thrown by the control API
    () => jar.restore('nothing'), // thrown by the server, outside the realm
    () => jar.clock.advance('soon'),
    () => jar.mailbox('admin').messages({ Subject: 'Lunch' }), // thrown by the package itself
    () => startJar({ port: 'high' }),
    () => startJar({ snapshot: new URL('https://vendor.example/state.gz') }),
    async () => jar.export('state.gz', { passfrase: 'misspelt' }),
    () => startJar({ databaseUrl: 'mysql://localhost' }),
  ];
  for (const refusal of refusals) {
    const error = await refusal().catch((thrown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(JarError);
    expect(error.stack).toContain(error.message);
  }
  await expect(jar.restore('nothing')).rejects.toThrow("no snapshot 'nothing'");
});

test('the error of a request that is observed is one of the realm too', async () => {
  const seen = [];
  const observed = await startJar({ observe: ({ error }) => seen.push(error) });
  await fetch(`${observed.url}/nothing-is-here`);
  await observed.close();
  expect(seen).toEqual([expect.any(Error)]);
  expect(seen[0]).toMatchObject({ name: 'JarError', status: 404 });
});

test('values are those of the realm of the test', async () => {
  const { id, ...rule } = await jar.faults.add({
    match: { path: '/subscriptions*' },
    effect: { status: 429 },
    count: 1,
  });
  expect(rule.match).toStrictEqual({ direction: 'inbound', path: '/subscriptions*' });
  expect((await jar.faults.list()).map((fault) => fault.id)).toStrictEqual([id]);
  expect(await jar.mailbox('admin').messages({ subject: /lunch/g })).toStrictEqual([]);
  expect(jar.env()).toStrictEqual(expect.objectContaining({ CLOUDJAR_URL: jar.url }));
  expect(Object.getPrototypeOf(jar.env())).toBe(Object.prototype);
});

test('bytes go in and come out', async () => {
  const content = new Uint8Array([0, 1, 254, 255]);
  await jar
    .mailbox('admin')
    .send({ from: 'carol@fabrikam.example', subject: 'Lunch', attachments: [{ name: 'a.bin', content }] });
  const message = await jar.mailbox('admin').waitFor({ subject: /^lunch$/gi });
  expect([...(await message.attachments[0].bytes())]).toStrictEqual([0, 1, 254, 255]);
  await jar.mailbox('admin').send(await message.source());
  expect((await jar.mailbox('admin').waitFor()).subject).toBe('Lunch');
});

test('the jar answers while the timers of the test are faked', async () => {
  jest.useFakeTimers();
  try {
    await fetch(jar.inbox('orders').url, { method: 'POST', body: '{"order":7}' });
    expect((await jar.inbox('orders').next()).json()).toStrictEqual({ order: 7 });
    await jar.clock.advance('1h');
  } finally {
    jest.useRealTimers();
  }
});
