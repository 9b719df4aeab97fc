import { describe, expect, it } from 'vitest';
import { formatLogLine, logLineAsJson } from '../../src/cli/log-lines.ts';

const at = new Date(2026, 10, 18, 12, 3, 4, 512).getTime();
const plain = (record: object): string =>
  formatLogLine(JSON.stringify({ level: 'info', time: at, ...record }), { colours: false });

const REQUEST = { service: 'resources', operation: 'ResourceGroups_CreateOrUpdate', ms: 4.2, requestId: 'r-1' };

describe('a line of the log for people', () => {
  it.each([
    [
      'a request: time, method, status, address, service and how long it took',
      { ...REQUEST, status: 201, msg: 'PUT /subscriptions/1/resourceGroups/demo?api-version=2022-12-01 201' },
      '12:03:04.512  PUT     201  /subscriptions/1/resourceGroups/demo?api-version=2022-12-01  resources  4 ms',
    ],
    [
      'what a client got wrong, with code and reason',
      { ...REQUEST, status: 404, ms: 0.34, code: 'NotFound', reason: "There is no 'x'.", msg: 'GET /x 404' },
      "12:03:04.512  GET     404  /x  resources  0.3 ms  NotFound: There is no 'x'.",
    ],
    [
      'a fault that struck',
      { ...REQUEST, status: 429, ms: 12_345, fault: 'k3v9', msg: 'GET /x 429' },
      '12:03:04.512  GET     429  /x  resources  12.3 s  fault k3v9',
    ],
    [
      'a request that a fault has dropped',
      { ...REQUEST, fault: 'k3v9', msg: 'GET /x dropped' },
      '12:03:04.512  GET     ---  /x  resources  4 ms  dropped  fault k3v9',
    ],
    [
      'a delivery, with what came of it and when the next attempt is',
      {
        ...{ direction: 'outbound', service: 'events', ms: 7, status: 503, code: 'Busy', attempt: 2, deliveries: 3 },
        ...{ nextAt: '2026-11-18T12:04:04.512Z', msg: 'POST https://localhost:8443/hook 503' },
      },
      '12:03:04.512  POST    503  -> https://localhost:8443/hook  events  7 ms  Busy  3 deliveries  attempt 2, next at 2026-11-18T12:04:04.512Z',
    ],
    [
      'a delivery that nobody answered',
      { direction: 'outbound', service: 'events', ms: 7, attempt: 1, msg: 'POST http://localhost:1/hook SocketError' },
      '12:03:04.512  POST    ---  -> http://localhost:1/hook  events  7 ms  SocketError',
    ],
    [
      'a message of the jar itself, with its fields',
      { level: 'warn', file: 'seed.json', count: 2, msg: 'the seed has no users' },
      '12:03:04.512  WARN    the seed has no users  file=seed.json count=2',
    ],
    ['a message without a time', { time: undefined, msg: 'early' }, '              INFO    early'],
    [
      'an error with its stack below',
      {
        level: 'error',
        err: { type: 'TypeError', message: 'broken', stack: 'TypeError: broken\n    at a (b.ts:1:2)' },
      },
      '12:03:04.512  ERROR   error=TypeError: broken\n    at a (b.ts:1:2)',
    ],
    [
      'a request that failed, with the error and its stack',
      {
        ...{ ...REQUEST, level: 'error', status: 500, msg: 'GET /x 500' },
        err: { type: 'TypeError', message: 'broken', stack: 'TypeError: broken\n    at a (b.ts:1:2)' },
      },
      '12:03:04.512  GET     500  /x  resources  4 ms  TypeError: broken\n    at a (b.ts:1:2)',
    ],
    [
      'what a terminal would act on, as escapes',
      { level: 'warn', msg: 'a\u001b[2Jb\nc\u202ed', 'na\u0007me': 'x\ry' },
      '12:03:04.512  WARN    a\\u001b[2Jb\\u000ac\\u202ed  na\\u0007me=x\\u000dy',
    ],
  ])('shows %s', (_, record, expected) => {
    expect(plain(record)).toBe(expected);
  });

  it.each(['', 'Node.js warning', '{"level":', '[1]', '{]', 'null', '  {"level":"info"}'])(
    'leaves %j as it is, since it is no JSON object',
    (line) => expect(formatLogLine(line, { colours: true })).toBe(line),
  );

  it('shows a line that is no JSON without what a terminal would act on, and a line of JSON as the same JSON', () => {
    expect(formatLogLine('\u001b[31mcrash\u0007\tat a.ts\u009b', { colours: true })).toBe(
      '\\u001b[31mcrash\\u0007\tat a.ts\\u009b',
    );
    const record = { msg: 'a\u009b31m\u202eb\u007f', n: 1 };
    expect(logLineAsJson(JSON.stringify(record))).toBe('{"msg":"a\\u009b31m\\u202eb\\u007f","n":1}');
    expect(JSON.parse(logLineAsJson(JSON.stringify(record)))).toEqual(record);
    expect(logLineAsJson('\u001b[31mcrash\u009b')).toBe('{"msg":"\\u001b[31mcrash\\u009b"}');
  });

  it.each([
    [200, 32],
    [304, 36],
    [404, 33],
    [500, 31],
    [undefined, 31],
  ])('gives the status %s the colour %d', (status, code) => {
    const line = JSON.stringify({ ...REQUEST, status, msg: `GET /x ${status ?? 'dropped'}` });
    expect(formatLogLine(line, { colours: true })).toContain(`\u001b[${code}m${status ?? '---'}\u001b[0m`);
  });

  it('shortens an address in its middle to the width of the terminal, and shows it whole where there is none', () => {
    const msg = `GET /subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups/${'g'.repeat(60)}/end 200`;
    const line = JSON.stringify({ ...REQUEST, time: at, status: 200, msg });
    const shown = formatLogLine(line, { colours: false, width: 100 });
    expect(shown).toHaveLength(100);
    expect(shown).toMatch(/^12:03:04\.512 {2}GET {5}200 {2}\/subscriptions\/\S+…g+\/end {2}resources {2}4 ms$/);
    expect(formatLogLine(line, { colours: false })).toContain(msg.split(' ')[1]);
    expect(formatLogLine(line, { colours: false, width: 5 })).toContain('…');
    const asked = JSON.stringify({ ...REQUEST, status: 200, msg: `GET /short?filter=${'x'.repeat(90)} 200` });
    expect(formatLogLine(asked, { colours: false, width: 80 })).toContain('  /short?…  resources');
  });
});
