import { expect, it } from 'vitest';
import { MortalJar } from '../../mortal-jar.ts';

const PATH = '/api/2.0/sql';

it('a jar that is killed in the middle of inserts and merges leaves each of them done once, or not at all', {
  timeout: 240_000,
}, async () => {
  const jar = new MortalJar(['--clock', 'virtual']);
  await jar.start();
  try {
    const { id: warehouse_id } = await jar.need('POST', `${PATH}/warehouses`, { name: 'w', auto_stop_mins: 0 });
    await jar.need('POST', '/_jar/clock/advance', { by: '5m' });
    const send = (statement: string, wait_timeout = '50s') =>
      jar.send('POST', `${PATH}/statements`, { warehouse_id, statement, wait_timeout });
    const rows = async (statement: string) => {
      const answer = await send(statement);
      expect(answer?.body.status, statement).toEqual({ state: 'SUCCEEDED' });
      return answer?.body.result.data_array ?? [];
    };
    await rows('CREATE TABLE log (id INT, part INT)');
    await rows('CREATE TABLE counter AS SELECT 0 AS value');
    const answered: number[] = [];
    const begun: string[] = [];
    let next = 0;
    for (let life = 0; life < 2; life++) {
      const enough = answered.length + 8;
      const insert = async (): Promise<void> => {
        for (;;) {
          const id = next++;
          const made = await send(`INSERT INTO log SELECT ${id}, id FROM range(500)`);
          if (made?.body.status?.state !== 'SUCCEEDED') return;
          answered.push(id);
          if (answered.length === enough) {
            // These are running when the jar dies.
            const more = await Promise.all([
              send('UPDATE counter SET value = value + 1', '0s'),
              send('UPDATE counter SET value = value + 1', '0s'),
            ]);
            begun.push(...more.flatMap((each) => each?.body.statement_id ?? []));
            await jar.kill();
          }
        }
      };
      await Promise.all([insert(), insert(), insert()]);
      await jar.start();
      await jar.need('POST', '/_jar/clock/advance', { by: '1m' });
    }
    await expect
      .poll(
        async () => {
          const states = await Promise.all(begun.map((id) => jar.need('GET', `${PATH}/statements/${id}`)));
          return states.every(({ status }) => status.state === 'SUCCEEDED');
        },
        { timeout: 60_000 },
      )
      .toBe(true);
    const groups: readonly (readonly string[])[] = await rows(
      'SELECT id, count(*), count(DISTINCT part) FROM log GROUP BY id',
    );
    // Every insert is complete and present once.
    expect(groups.every(([, count, parts]) => count === '500' && parts === '500')).toBe(true);
    // Acknowledged statements are present; others may be.
    expect(groups.map(([id]) => Number(id))).toEqual(expect.arrayContaining(answered));
    expect(await rows('SELECT value FROM counter')).toEqual([[String(begun.length)]]);
  } finally {
    await jar.kill();
  }
});
