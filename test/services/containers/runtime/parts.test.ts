import { describe, expect, test } from 'vitest';
import { createLogger } from '../../../../src/kernel/telemetry/log.ts';
import { News } from '../../../../src/services/containers/runtime/news.ts';
import { Outage } from '../../../../src/services/containers/runtime/outage.ts';

describe('news', () => {
  test('records events of a group while it is being synced', () => {
    const news = new News();
    expect(news.hear('a')).toBe(false);
    news.begin('a');
    expect(news.hear('a')).toBe(true);
    expect(news.hear('b')).toBe(false);
    expect(news.end('a')).toBe(true);
    expect(news.end('a')).toBe(false);
    expect(news.hear('a')).toBe(false);
  });
});

describe('an engine that is away', () => {
  test('is logged once and, when all groups have recovered, once more', async () => {
    const told: string[] = [];
    const write = (line: string): void => {
      const { err, msg } = JSON.parse(line) as { err?: { message: string }; msg: string };
      told.push(err?.message ?? msg);
    };
    const log = createLogger({ level: 'info', stream: { write } });
    const outage = new Outage(log);
    const away = new Error('nobody listens there');
    for (const uid of ['one', 'two', 'one', 'two']) outage.met(uid, uid, away);
    outage.over('one');
    outage.met('two', 'two', away);
    outage.over('three');
    outage.over('two');
    outage.over('two');
    outage.met('one', 'one', away);
    await log.flush();
    expect(told).toEqual(['nobody listens there', 'the container engine works again', 'nobody listens there']);
  });
});
