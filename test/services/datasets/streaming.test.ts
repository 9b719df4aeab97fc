import { beforeEach, describe, expect, it } from 'vitest';
import { SERVICES } from '../../../src/services.ts';
import { JarProbe } from '../../support/jar-probe.ts';
import { onBothStores } from '../../support/jars.ts';
import { type Ask, control, good, PLAIN, person, rowsOf, somewhat } from './support.ts';

const probe = new JarProbe();

interface LiveEvent {
  readonly id: string;
  readonly table: string;
  readonly rows: readonly { readonly id: number }[];
}

/** Yields the events of a server-sent event stream as they arrive. */
async function* eventsOf(response: Response): AsyncGenerator<LiveEvent | undefined> {
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const of = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const data = of('data');
      yield data === undefined ? undefined : { id: of('id') ?? '', ...JSON.parse(data) };
    }
  }
}

onBothStores(
  'a dataset of a streaming mode',
  (bench) => {
    let ask: Ask;

    beforeEach(async () => {
      await bench.jar.reset();
      ask = await person(bench);
    });

    const create = async (defaultMode: string): Promise<string> =>
      (await good(ask('POST', 'datasets', { name: 'Live', defaultMode, tables: [PLAIN] }))).id;
    const push = (id: string, count: number, from = 0) =>
      ask('POST', `datasets/${id}/tables/Plain/rows`, { rows: somewhat(count, from) });
    const held = async (id: string) => (await rowsOf(probe.jar, id, 'Plain')).map(([first]) => first);

    const watch = async (id: string, headers: Record<string, string> = {}, query = '') => {
      const abort = new AbortController();
      const response = await fetch(`${bench.jar.url}/_jar/datasets/${id}/live${query}`, {
        headers: { authorization: `Bearer ${bench.jar.adminKey}`, ...headers },
        signal: abort.signal,
      });
      expect(response.status).toBe(200);
      const events = eventsOf(response);
      // The first event confirms the subscription; later events are live.
      await events.next();
      return {
        async next(): Promise<LiveEvent> {
          for (;;) {
            const { value, done } = await events.next();
            if (done) throw new Error('the stream ended');
            if (value !== undefined) return value;
          }
        },
        close: () => abort.abort(),
      };
    };

    describe.each(['PushStreaming', 'Streaming'])('%s', (mode) => {
      it('shows rows live as they are pushed, once for each request', async () => {
        const [id, other] = [await create(mode), await create(mode)];
        await good(push(id, 1));
        const live = await watch(id);
        await good(push(other, 1, 50));
        await good(push(id, 2, 1));
        const first = await live.next();
        expect(first).toMatchObject({ table: 'Plain', rows: [{ id: 1 }, { id: 2, text: 'row 2' }] });
        await good(push(id, 1, 3));
        expect((await live.next()).rows).toEqual([{ id: 3, text: 'row 3' }]);
        live.close();
        const again = await watch(id, { 'last-event-id': first.id });
        expect((await again.next()).rows).toEqual([{ id: 3, text: 'row 3' }]);
        again.close();
        const all = await watch(id, {}, '?from=start');
        expect((await all.next()).rows).toEqual([{ id: 0, text: 'row 0' }]);
        all.close();
      });
    });

    it('the stream of a deleted dataset shows its last rows and ends', async () => {
      const id = await create('PushStreaming');
      const live = await watch(id);
      await good(push(id, 1));
      await good(ask('DELETE', `datasets/${id}`));
      expect((await live.next()).rows).toEqual([{ id: 0, text: 'row 0' }]);
      expect(await live.next()).toMatchObject({ dataset: id });
      await expect(live.next()).rejects.toThrow('the stream ended');
    });

    it('a reset ends the stream', async () => {
      const id = await create('PushStreaming');
      const live = await watch(id);
      await bench.jar.reset();
      expect(await live.next()).toMatchObject({ dataset: id });
      await expect(live.next()).rejects.toThrow('the stream ended');
    });

    it('PushStreaming stores requests of more than 15 KB, and does not show them live', async () => {
      const id = await create('PushStreaming');
      const live = await watch(id);
      await good(push(id, 1000));
      await good(push(id, 1, 1000));
      expect((await live.next()).rows).toEqual([{ id: 1000, text: 'row 1000' }]);
      live.close();
      expect(await held(id)).toHaveLength(1001);
      await bench.jar.clock.advance('2h');
      expect(await held(id)).toHaveLength(1001);
    });

    it('Streaming has no measures, not even later', async () => {
      const measures = [{ name: 'Count', expression: 'COUNTROWS(Plain)' }];
      const { status, body } = await ask('PUT', `datasets/${await create('Streaming')}/tables/Plain`, {
        ...PLAIN,
        measures,
      });
      expect({ status, details: body.error?.details }).toMatchObject({
        status: 400,
        details: [{ target: 'measures' }],
      });
    });

    it('Streaming refuses requests of more than 15 KB', async () => {
      const { status, body } = await push(await create('Streaming'), 1000);
      expect({ status, ...body }).toMatchObject({ status: 413, error: { code: 'RequestEntityTooLarge' } });
    });

    it('Streaming keeps rows for an hour', async () => {
      const id = await create('Streaming');
      await good(push(id, 3));
      await bench.jar.clock.advance('30m');
      await good(push(id, 2, 3));
      await bench.jar.clock.advance('29m');
      expect(await held(id)).toEqual([0, 1, 2, 3, 4]);
      await bench.jar.clock.advance('2m');
      expect(await held(id)).toEqual([3, 4]);
      await bench.jar.clock.advance('30m');
      expect(await held(id)).toEqual([]);
      expect((await control(bench, 'GET', `datasets/${id}`)).body).toMatchObject({ rows: 0, pushedRows: 5 });
      await good(push(id, 1, 5));
      await bench.jar.clock.advance('61m');
      expect(await held(id)).toEqual([]);
    });

    it('Streaming forgets as long after as the setting says, while rows keep coming', async () => {
      expect((await control(bench, 'PATCH', 'datasets/settings', { streamingRetention: '5m' })).status).toBe(200);
      const id = await create('Streaming');
      for (let i = 0; i < 20; i++) {
        await good(push(id, 1, i));
        await bench.jar.clock.advance('30s');
      }
      const kept = await held(id);
      expect(kept.at(-1)).toBe(19);
      // Five minutes, plus up to one minute because rows expire in batches.
      expect(kept.length).toBeGreaterThanOrEqual(9);
      expect(kept.length).toBeLessThanOrEqual(12);
    });

    it('Streaming with basicFIFO keeps the newest, each for its hour', async () => {
      const settings = { basicFifoRows: 5, basicFifoSlack: 0 };
      expect((await control(bench, 'PATCH', 'datasets/settings', settings)).status).toBe(200);
      const body = { name: 'Live', defaultMode: 'Streaming', tables: [PLAIN] };
      const { id } = await good(ask('POST', 'datasets?defaultRetentionPolicy=basicFIFO', body));
      await good(push(id, 10));
      await bench.jar.clock.advance('30m');
      await good(push(id, 2, 10));
      expect(await held(id)).toEqual([7, 8, 9, 10, 11]);
      await bench.jar.clock.advance('31m');
      expect(await held(id)).toEqual([10, 11]);
      expect((await control(bench, 'GET', `datasets/${id}`)).body).toMatchObject({ rows: 2, pushedRows: 12 });
      await bench.jar.clock.advance('30m');
      expect(await held(id)).toEqual([]);
      expect((await control(bench, 'GET', `datasets/${id}`)).body.rows).toBe(0);
    });

    it('shows numbers live with every digit, as text where JSON would round them', async () => {
      const columns = ['Int64', 'Decimal', 'Double'].map((dataType) => ({ name: dataType, dataType }));
      const body = { name: 'Live', defaultMode: 'PushStreaming', tables: [{ name: 'Plain', columns }] };
      const { id } = await good(ask('POST', 'datasets', body));
      const live = await watch(id);
      const sent = ['9007199254740993,"Decimal":123456789012345.6789', '9007199254740994,"Decimal":1.5'];
      const rows = sent.map((each) => `{"Int64":${each},"Double":0.12345678901234568}`).join();
      await good(ask('POST', `datasets/${id}/tables/Plain/rows`, `{"rows":[${rows}]}`));
      expect((await live.next()).rows).toEqual([
        { Int64: '9007199254740993', Decimal: '123456789012345.6789', Double: 0.12345678901234568 },
        { Int64: 9007199254740994, Decimal: 1.5, Double: 0.12345678901234568 },
      ]);
      live.close();
    });

    it('has no stream if rows are only pushed, or if it does not exist', async () => {
      const refused = async (path: string, headers?: Record<string, string>) => {
        const options = { token: bench.jar.adminKey, ...(headers && { headers }) };
        const { status, body } = await bench.call('GET', `/_jar/datasets/${path}`, options);
        return [status, body.error.code];
      };
      expect(await refused(`${await create('Push')}/live`)).toEqual([409, 'NotStreaming']);
      expect(await refused('nosuch/live')).toEqual([404, 'DatasetNotFound']);
      const id = await create('Streaming');
      expect(await refused(`${id}/live`, { 'last-event-id': 'x y' })).toEqual([400, 'BadCursor']);
    });

    it('takes five requests in a second', async () => {
      const id = await create('Streaming');
      expect(
        (await control(bench, 'PATCH', 'limits', { name: 'datasets.streamed-per-second', mode: 'enforced' })).status,
      ).toBe(200);
      for (let i = 0; i < 5; i++) await good(push(id, 1));
      const { status, headers } = await push(id, 1);
      expect([status, headers.get('retry-after')]).toEqual([429, '1']);
      await bench.jar.clock.advance('1s');
      await good(push(id, 1));
    });
  },
  { services: [...SERVICES, probe.service] },
);
