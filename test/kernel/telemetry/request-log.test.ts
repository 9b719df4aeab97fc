import { describe, expect, it } from 'vitest';
import { type GivenDetails, LONGEST_BODY, type RequestDetails } from '../../../src/kernel/telemetry/request-details.ts';
import { type NewEntry, REQUEST_LOG_BOUNDS, RequestLog } from '../../../src/kernel/telemetry/request-log.ts';

const entry = (url: string, further: Partial<NewEntry> = {}): NewEntry => ({
  direction: 'inbound',
  at: 1,
  systemAt: 2,
  service: 'resources',
  operation: 'Groups_Get',
  method: 'GET',
  url,
  status: 200,
  ms: 1,
  requestBytes: undefined,
  answerBytes: undefined,
  code: undefined,
  reason: undefined,
  fault: undefined,
  caller: undefined,
  requestId: 'r',
  clientRequestId: undefined,
  traceparent: undefined,
  delivery: undefined,
  ...further,
});

const kept = (log: RequestLog): string[] => {
  const urls: string[] = [];
  for (let number = log.first; number < log.next; number++) urls.push(log.entry(number)!.url);
  return urls;
};

describe('the log of recent requests', () => {
  it('keeps the newest entries up to the maximum, and returns their range', () => {
    const log = new RequestLog({ entries: 3, characters: 1e6 });
    for (let i = 1; i <= 7; i++) expect(log.add(entry(`/${i}`)).number).toBe(i);
    expect(kept(log)).toEqual(['/5', '/6', '/7']);
    expect([log.entry(4), log.entry(8), log.entry(0)]).toEqual([undefined, undefined, undefined]);
  });

  it.each([1, 2, 7, 100])('never has more than %d entries or their characters, whatever comes', (entries) => {
    const characters = 6000;
    const log = new RequestLog({ entries, characters });
    for (let i = 0; i < 500; i++) {
      log.add(
        entry(`/${'x'.repeat((i * 37) % 2000)}`, { reason: 'r'.repeat((i * 13) % 400), code: 'c'.repeat(i % 90) }),
      );
      const urls = kept(log);
      expect(urls.length).toBeGreaterThan(0);
      expect(urls.length).toBeLessThanOrEqual(entries);
      // A single entry is kept whatever its size, which has its own limit.
      if (urls.length > 1) expect(urls.join('').length).toBeLessThan(characters);
    }
  });

  it('takes back the room of entries that go: as many small ones fit behind large ones as before', () => {
    const log = new RequestLog({ entries: 1000, characters: 50_000 });
    for (let i = 0; i < 300; i++) log.add(entry('/small'));
    const fitting = log.next - log.first;
    for (let i = 0; i < 300; i++) log.add(entry(`/${'x'.repeat(1900)}`));
    for (let i = 0; i < 300; i++) log.add(entry('/small'));
    expect(log.next - log.first).toBe(fitting);
  });

  it('truncates text from clients, after redacting it', () => {
    const log = new RequestLog();
    const long = 'x'.repeat(100_000);
    const { url, reason, caller, clientRequestId, traceparent, code } = log.add(
      entry(`/a?sig=s3cret&to=https://me:s3cret${'y'.repeat(2100)}@host/${long}`, {
        ...{ reason: `password=s3cret ${long}`, caller: long, clientRequestId: long, traceparent: long, code: long },
      }),
    );
    expect(url.length).toBeLessThan(2100);
    expect(reason?.length).toBeLessThan(510);
    for (const word of [caller, clientRequestId, traceparent, code]) expect(word).toHaveLength(201);
    expect(`${url} ${reason}`).not.toContain('s3cret');
  });

  it('notifies watchers of every entry until they unsubscribe', () => {
    const log = new RequestLog();
    let told = 0;
    const leave = log.watch(() => told++);
    log.add(entry('/1'));
    log.add(entry('/2'));
    leave();
    log.add(entry('/3'));
    expect(told).toBe(2);
  });

  it('is bounded to a few megabytes by default', () => {
    expect(REQUEST_LOG_BOUNDS).toEqual({ entries: 4096, characters: 4 * 1024 * 1024, details: 16 * 1024 * 1024 });
  });
});

describe('details', () => {
  const LARGE = 1024 * 1024;
  const details = (body: Buffer): GivenDetails => ({
    url: '/x?y',
    secure: false,
    isSocket: false,
    hasSecretBodies: false,
    headers: ['Host', 'localhost', 'x-empty', ''],
    body: { content: body, bytes: body.length },
  });
  const answer = (content: string) => ({ headers: ['server', 'é'], body: { content, bytes: content.length } });
  const keptDetails = (log: RequestLog, number: number) => log.details(log.entry(number)!);

  it('of a load that lasts are kept of some requests, of all that failed, and of all again when it is over', () => {
    const log = new RequestLog({ entries: 100 });
    const body = Buffer.from('x');
    const isKept = (more: Partial<NewEntry>): boolean =>
      typeof log.details(log.add(entry('/1', { details: () => details(body), ...more }))) === 'object';
    const load = (from: number, count: number, more: Partial<NewEntry> = {}) =>
      Array.from({ length: count }, (_, n) => isKept({ systemAt: from + n / 10, ...more })).filter(Boolean).length;
    // As many at once as there are entries; then 500 a second, of 10,000.
    expect(load(1000, 100)).toBe(100);
    expect(load(1010, 1000)).toBeLessThanOrEqual(60);
    expect(load(1110, 1000)).toBeGreaterThanOrEqual(40);
    expect(load(1210, 50, { status: 404 })).toBe(50);
    expect(load(2000, 100)).toBe(100);
  });

  it('are read as they were added', () => {
    const log = new RequestLog();
    const added = log.add(entry('/1', { details: () => details(Buffer.from([0, 255, 1])) }));
    expect(log.details(added)).toMatchObject({ url: '/x?y', answer: undefined });
    log.answered(added, 4, () => answer('ünï'));
    expect(added.answerBytes).toBe(4);
    expect(log.details(added)).toMatchObject({
      headers: ['Host', 'localhost', 'x-empty', ''],
      body: { content: Buffer.from([0, 255, 1]), bytes: 3 },
      answer: { headers: ['server', 'é'], body: { content: Buffer.from('ünï') } },
    });
  });

  it('of thousands of requests with large bodies stay within their bound, and the newest ones are kept', () => {
    const bound = 2 * 1024 * 1024;
    const log = new RequestLog({ details: bound });
    const [body, text] = [Buffer.alloc(LARGE, 'x'), Buffer.alloc(LARGE, 'y').toString('latin1')];
    for (let n = 1; n <= 4000; n++) {
      log.answered(log.add(entry(`/${n}`, { details: () => details(body) })), LARGE, () => answer(text));
      expect(log.detailBytes).toBeLessThanOrEqual(bound);
    }
    expect(kept(log)).toHaveLength(4000);
    const states = Array.from({ length: 4000 }, (_, n) => keptDetails(log, n + 1));
    const first = states.findIndex((each) => each !== 'dropped');
    expect(states.slice(0, first).every((each) => each === 'dropped')).toBe(true);
    // One of the two segments is being filled.
    expect(4000 - first).toBeGreaterThan(bound / 2 / (2 * LONGEST_BODY + 1000));
    for (const state of states.slice(first)) {
      expect(state).toMatchObject({ body: { isCut: true, bytes: LARGE }, answer: { body: { isCut: true } } });
      const { body: shown, answer: answered } = state as RequestDetails;
      expect(shown.content?.equals(Buffer.alloc(LONGEST_BODY, 'x'))).toBe(true);
      expect(answered?.body.content?.equals(Buffer.alloc(LONGEST_BODY, 'y'))).toBe(true);
    }
  });

  it('take no memory before the first request', () => expect(new RequestLog().detailBytes).toBe(0));

  it('larger than the bound are dropped at once', () => {
    const log = new RequestLog({ details: 1000 });
    const added = log.add(entry('/1', { details: () => details(Buffer.alloc(5000)) }));
    log.answered(added, 3, () => answer('abc'));
    expect(log.details(added)).toBe('dropped');
    expect(log.detailBytes).toBe(0);
    expect(log.details(log.add(entry('/2')))).toBeUndefined();
  });
});
