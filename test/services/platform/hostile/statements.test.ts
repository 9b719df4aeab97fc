import { expect, it } from 'vitest';
import { tokensOf } from '../../../../src/services/platform/warehouses/sql/lexer.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { good, person } from '../support.ts';

it('places in a statement are those of its lines, inside of quotes and comments too', () => {
  const places = tokensOf('a\n "b\nc" /* d\n\n*/ e -- f\n\n g').map(({ text, at }) => [text, at.line, at.column]);
  expect(places.slice(0, -1)).toEqual([
    ['a', 1, 0],
    ['b\nc', 2, 1],
    ['e', 5, 3],
    ['g', 7, 1],
  ]);
});

onAnyStore('hostile statements', (bench) => {
  // The words of one line were looked through for its end once for each of them: some ten thousand million characters.
  it.each([
    ['a million words', `SELECT ${'a '.repeat(500_000)}`],
    ['unions', Array(20_000).fill('SELECT 1').join(' UNION ALL ')],
    ['brackets', `SELECT ${'('.repeat(60_000)}1`],
    ['a long sum', `SELECT ${'1+'.repeat(60_000)}1`],
    ['a long name', `SELECT ${'a.'.repeat(60_000)}b`],
    ['a large text', "SELECT repeat(repeat('x', 10000), 10000)"],
    ['rows', 'SELECT count(*) FROM range(1000000) a CROSS JOIN range(1000000) b'],
  ])('%s fails soon, with a short reason', async (what, statement) => {
    const ask = await person(bench);
    const { id } = await good(ask('POST', '/sql/warehouses', { name: what }));
    await bench.jar.clock.advance('10m');
    const sent = { statement, warehouse_id: id, wait_timeout: '50s' };
    const { status } = await good(ask('POST', '/sql/statements', sent));
    expect(status.state).toBe('FAILED');
    expect(status.error.message).toMatch(/^\[(?:RESOURCE_EXHAUSTED|UNRESOLVED_COLUMN|PARSE_SYNTAX_ERROR)/);
    expect(status.error.message.length).toBeLessThan(3000);
  });
});
