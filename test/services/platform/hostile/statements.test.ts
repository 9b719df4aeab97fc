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
    ['a million words', `SELECT ${'a '.repeat(500_000)}`, 'words|gaps'],
    ['unions', Array(20_000).fill('SELECT 1').join(' UNION ALL '), 'UNIONs'],
    ['brackets', `SELECT ${'('.repeat(60_000)}1`, 'nested'],
    ['a long sum', `SELECT ${'1+'.repeat(60_000)}1`, 'nested'],
    ['a long name', `SELECT ${'a.'.repeat(60_000)}b`, 'cannot be resolved|UNRESOLVED_COLUMN'],
    ['a large text', "SELECT repeat(repeat('x', 10000), 10000)", 'characters'],
    ['rows', 'SELECT count(*) FROM range(1000000) a CROSS JOIN range(1000000) b', 'rows'],
  ])('%s fails soon, with a short reason', async (what, statement, reason) => {
    const ask = await person(bench);
    const { id } = await good(ask('POST', '/sql/warehouses', { name: what }));
    await bench.jar.clock.advance('10m');
    const sent = { statement, warehouse_id: id, wait_timeout: '50s' };
    const { status } = await good(ask('POST', '/sql/statements', sent));
    expect(status.state).toBe('FAILED');
    expect(status.error.message).toMatch(new RegExp(reason));
    expect(status.error.message.length).toBeLessThan(3000);
  });
});
