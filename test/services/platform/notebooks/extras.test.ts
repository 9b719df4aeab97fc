import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { withoutRates } from '../dbfs/support.ts';
import { type Ask, control, good, person, refusal } from '../support.ts';

const WORDS = ['dashboards', 'comments'] as const;
const BODY = { dashboards: (n: number) => ({ name: `board ${n}` }), comments: (n: number) => ({ text: `note ${n}` }) };
const ID = { dashboards: 'dashboard_id', comments: 'comment_id' };

onAnyStore('dashboards and comments of notebooks', (bench) => {
  let ask: Ask;
  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
  });

  const notebook = async (path: string): Promise<number> => {
    await good(ask('POST', '/workspace/import', { path, language: 'SQL', content: '' }));
    return (await good(ask('GET', `/workspace/get-status?path=${path}`))).object_id;
  };
  const used = async (word: string, id: number): Promise<number> => {
    const { body } = await control(bench, 'GET', `limits?name=platform.notebook-${word}`);
    const text = JSON.stringify(body);
    const found = new RegExp(`"notebook":"${id}"[^{]*?"(?:used|current)":(\\d+)`).exec(text);
    return Number(found?.[1] ?? 0);
  };

  it.each(WORDS)('%s: add, read, list, change, delete', async (word) => {
    const id = await notebook('/Shared/n');
    const path = `/platform/notebooks/${id}/${word}`;
    const made = await good(ask('POST', path, BODY[word](1)));
    expect(made).toMatchObject({ ...BODY[word](1), notebook_id: String(id) });
    const one = `${path}/${made[ID[word]]}`;
    expect(await good(ask('GET', one))).toEqual(made);
    expect(await good(ask('PATCH', one, BODY[word](2)))).toMatchObject(BODY[word](2));
    expect((await good(ask('GET', path)))[word]).toHaveLength(1);
    const other = await notebook('/Shared/o');
    expect(refusal(await ask('GET', one.replace(String(id), String(other))))).toMatchObject({ status: 404 });
    await good(ask('DELETE', one));
    expect((await good(ask('GET', path)))[word]).toEqual([]);
    expect(refusal(await ask('POST', path, {}))).toMatchObject({ code: 'INVALID_PARAMETER_VALUE' });
    expect(refusal(await ask('POST', path.replace(String(id), '7'), BODY[word](1)))).toMatchObject({ status: 404 });
  });

  it.each(WORDS)('%s: 1,000 of a notebook, exactly under concurrency, and none once it is gone', async (word) => {
    await control(bench, 'PATCH', 'limits', { name: `platform.notebook-${word}`, limit: 5 });
    const id = await notebook('/Shared/n');
    const path = `/platform/notebooks/${id}/${word}`;
    const replies = await Promise.all(Array.from({ length: 12 }, (_, n) => ask('POST', path, BODY[word](n))));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(5);
    const refused = replies.find(({ status }) => status === 400);
    expect(refused?.body.details[0].metadata).toMatchObject({
      limit: `platform.notebook-${word}`,
      value: '5',
      notebook: String(id),
    });
    expect(await used(word, id)).toBe(5);
    const first = replies.find(({ status }) => status === 200)?.body[ID[word]];
    await good(ask('DELETE', `${path}/${first}`));
    await good(ask('POST', path, BODY[word](100)));
    await good(ask('POST', '/workspace/delete', { path: '/Shared/n' }));
    await eventually(async () => expect(await used(word, id)).toBe(0));
  });

  it('more than go in one transaction are removed with the directory of their notebook', async () => {
    await good(ask('POST', '/workspace/mkdirs', { path: '/Shared/dir/sub' }));
    const id = await notebook('/Shared/dir/sub/n');
    const path = `/platform/notebooks/${id}/comments`;
    for (let n = 0; n < 250; n += 25)
      await Promise.all(Array.from({ length: 25 }, (_, i) => good(ask('POST', path, BODY.comments(n + i)))));
    expect(await used('comments', id)).toBe(250);
    await good(ask('POST', '/workspace/delete', { path: '/Shared/dir', recursive: true }));
    expect(refusal(await ask('GET', path))).toMatchObject({ status: 404 });
    await eventually(async () => expect(await used('comments', id)).toBe(0));
  });

  describe('who may', () => {
    it('comments belong to their authors, and every reader may comment', async () => {
      const id = await notebook('/Shared/n');
      const hidden = await notebook('/Users/admin@vendor.example/n');
      const licensed = await person(bench, 'licensed');
      const path = `/platform/notebooks/${id}/comments`;
      const { comment_id } = await good(ask('POST', path, { text: 'mine', cell: 0 }));
      const own = await good(licensed('POST', path, { text: 'and mine' }));
      expect(refusal(await licensed('PATCH', `${path}/${comment_id}`, { text: 'x' }))).toMatchObject({ status: 403 });
      await good(licensed('PATCH', `${path}/${own.comment_id}`, { text: 'x' }));
      await good(ask('DELETE', `${path}/${own.comment_id}`));
      for (const word of WORDS) {
        const there = `/platform/notebooks/${hidden}/${word}`;
        expect(refusal(await licensed('GET', there))).toMatchObject({ status: 403 });
        expect(refusal(await licensed('POST', there, BODY[word](1)))).toMatchObject({ status: 403 });
      }
    });
  });
});
