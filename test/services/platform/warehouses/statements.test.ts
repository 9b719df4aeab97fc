import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { type Ask, control, good, person, refusal } from '../support.ts';

const PATH = '/sql/statements';

onBothStores('data platform: SQL statements', (bench) => {
  beforeEach(() => bench.jar.reset());

  const create = async (ask: Ask, more: object = {}): Promise<string> =>
    (await good(ask('POST', '/sql/warehouses', { name: 'w', ...more }))).id;
  const running = async (ask: Ask): Promise<string> => {
    const id = await create(ask);
    await bench.jar.clock.advance('2m');
    return id;
  };
  const run = (ask: Ask, warehouse_id: string, statement: string, more: object = {}) =>
    ask('POST', PATH, { warehouse_id, statement, ...more });

  it('a statement gives the result that was set for its text, whatever tables it names', async () => {
    const ask = await person(bench);
    const id = await running(ask);
    const sales = 'SELECT * FROM sales WHERE day = :day';
    const set = (body: object) => good(control(bench, 'PUT', 'platform/query-results', body));
    const rows = [
      [1, 2.5, 'a', true, null, 'x'],
      [null, 3, 'b', false, null, 7],
    ];
    await set({ statement: sales, columns: ['n', 'd', 's', 'b', 'z', 'm'], rows });
    const parameters = [{ name: 'day', value: '2024-02-29', type: 'DATE' }];
    const answer = await good(run(ask, id, `${sales} ;`, { parameters }));
    expect(answer.status).toEqual({ state: 'SUCCEEDED' });
    const types = (answer.manifest.schema.columns as { type_text: string }[]).map(({ type_text }) => type_text);
    expect(types).toEqual(['BIGINT', 'DOUBLE', 'STRING', 'BOOLEAN', 'STRING', 'STRING']);
    expect(answer.result.data_array).toEqual([
      ['1', '2.5', 'a', 'true', null, 'x'],
      [null, '3.0', 'b', 'false', null, '7'],
    ]);
    expect(await good(run(ask, id, sales, { parameters, row_limit: 1 }))).toMatchObject({
      manifest: { total_row_count: 1, truncated: true },
    });
    await set({ statement: sales, error: 'The table is locked.' });
    expect((await good(run(ask, id, sales))).status).toEqual({
      state: 'FAILED',
      error: { error_code: 'BAD_REQUEST', message: 'The table is locked.' },
    });
    await set({ statement: 'DELETE FROM sales', columns: ['num_affected_rows'], rows: [[3]] });
    expect((await good(run(ask, id, 'DELETE FROM sales'))).result.data_array).toEqual([['3']]);
    expect((await good(run(ask, id, 'SELECT * FROM others'))).status).toMatchObject({
      state: 'FAILED',
      sql_state: '42P01',
    });
  });

  it('a running warehouse answers at once, with schema, rows, parameters and the name of who asks', async () => {
    const ask = await person(bench);
    const id = await running(ask);
    const answer = await good(
      run(ask, id, 'SELECT :n + 1 AS n, :day AS day, current_user() AS me, NULL AS nothing', {
        parameters: [
          { name: 'n', value: '41', type: 'INT' },
          { name: 'day', value: '2024-02-29', type: 'DATE' },
        ],
      }),
    );
    expect(answer).toEqual({
      statement_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: { state: 'SUCCEEDED' },
      manifest: {
        format: 'JSON_ARRAY',
        schema: {
          column_count: 4,
          columns: [
            { name: 'n', position: 0, type_name: 'INT', type_text: 'INT' },
            { name: 'day', position: 1, type_name: 'DATE', type_text: 'DATE' },
            { name: 'me', position: 2, type_name: 'STRING', type_text: 'STRING' },
            { name: 'nothing', position: 3, type_name: 'NULL', type_text: 'VOID' },
          ],
        },
        total_chunk_count: 1,
        chunks: [{ chunk_index: 0, row_offset: 0, row_count: 1, byte_count: expect.any(Number) }],
        total_row_count: 1,
        total_byte_count: expect.any(Number),
        truncated: false,
      },
      result: {
        chunk_index: 0,
        row_offset: 0,
        row_count: 1,
        byte_count: expect.any(Number),
        data_array: [['42', '2024-02-29', expect.stringContaining('@'), null]],
      },
    });
    expect(await good(ask('GET', `${PATH}/${answer.statement_id}`))).toEqual(answer);
    const { res } = await good(
      ask('GET', `/sql/history/queries?filter_by.warehouse_ids=${id}&filter_by.statuses=FINISHED`),
    );
    expect(res).toMatchObject([{ query_id: answer.statement_id, status: 'FINISHED', rows_produced: 1 }]);
    await bench.jar.clock.advance('1h');
    expect(await good(ask('GET', `${PATH}/${answer.statement_id}`))).toEqual({
      statement_id: answer.statement_id,
      status: { state: 'CLOSED' },
    });
  });

  it('a statement starts a stopped warehouse, waits for it, and keeps it from stopping', async () => {
    const ask = await person(bench);
    const id = await create(ask, { auto_stop_mins: 10 });
    const { statement_id, ...pending } = await good(run(ask, id, 'SELECT 1', { wait_timeout: '0s' }));
    expect(pending).toEqual({ status: { state: 'PENDING' } });
    const other = (await good(run(ask, id, 'SELECT 2', { wait_timeout: '0s' }))).statement_id;
    await good(ask('POST', `${PATH}/${other}/cancel`));
    expect((await good(ask('GET', `${PATH}/${other}`))).status).toEqual({ state: 'CANCELED' });
    await bench.jar.clock.advance('2m');
    expect(await good(ask('GET', `${PATH}/${statement_id}`))).toMatchObject({
      status: { state: 'SUCCEEDED' },
      result: { data_array: [['1']] },
    });
    await bench.jar.clock.advance('11m');
    expect((await good(ask('GET', `/sql/warehouses/${id}`))).state).toBe('STOPPED');
    const again = (await good(run(ask, id, 'SELECT 3', { wait_timeout: '0s' }))).statement_id;
    expect((await good(ask('GET', `/sql/warehouses/${id}`))).state).toBe('STARTING');
    await good(ask('DELETE', `/sql/warehouses/${id}`));
    await bench.jar.clock.advance('2m');
    expect((await good(ask('GET', `${PATH}/${again}`))).status).toMatchObject({
      state: 'FAILED',
      error: { error_code: 'ABORTED' },
    });
  });

  it('large results come in parts, inline or by links that need no credential and expire', async () => {
    const ask = await person(bench);
    const id = await running(ask);
    const text = "SELECT id, repeat('x', 100) AS text FROM range(30000)";
    const inline = await good(run(ask, id, text));
    const { total_chunk_count: count, total_row_count: rows } = inline.manifest;
    expect(rows).toBe(30_000);
    expect(count).toBeGreaterThan(1);
    let seen = 0;
    for (let chunk: { next_chunk_internal_link?: string; data_array: string[][] } = inline.result; ; ) {
      expect(chunk.data_array[0]?.[0]).toBe(String(seen));
      seen += chunk.data_array.length;
      if (chunk.next_chunk_internal_link === undefined) break;
      chunk = await good(ask('GET', chunk.next_chunk_internal_link));
    }
    expect(seen).toBe(30_000);
    const csv = await good(
      run(ask, id, "SELECT 1 AS a, 'x,\"y' AS b, NULL AS c", { disposition: 'EXTERNAL_LINKS', format: 'CSV' }),
    );
    const [link] = csv.result.external_links;
    const got = await fetch(link.external_link);
    expect({ type: got.headers.get('content-type'), text: await got.text() }).toEqual({
      type: 'text/csv',
      text: 'a,b,c\r\n1,"x,""y",null\r\n',
    });
    await bench.jar.clock.advance('16m');
    expect((await fetch(link.external_link)).status).toBe(403);
    expect((await fetch(`${link.external_link}x`)).status).toBe(403);
    const limited = await good(run(ask, id, 'SELECT id FROM range(10)', { row_limit: 3 }));
    expect(limited).toMatchObject({ manifest: { truncated: true, total_row_count: 3 } });
    const none = await good(run(ask, id, 'SELECT 1', { row_limit: 0 }));
    expect(none).toMatchObject({ manifest: { truncated: true, total_chunk_count: 0 }, result: {} });
    expect(none.manifest).not.toHaveProperty('chunks');
  });

  it('SQL that fails is an answer with state FAILED, a request that is wrong is refused', async () => {
    const ask = await person(bench);
    const id = await running(ask);
    expect(await good(run(ask, id, 'SELECT 1/0'))).toEqual({
      statement_id: expect.any(String),
      status: {
        state: 'FAILED',
        error: { error_code: 'BAD_REQUEST', message: expect.stringMatching(/^\[DIVIDE_BY_ZERO\] .* SQLSTATE: 22012$/) },
        sql_state: '22012',
      },
    });
    const bad = await good(run(ask, id, 'SELECT :n', { parameters: [{ name: 'n', value: 'x', type: 'INT' }] }));
    expect(bad.status.sql_state).toBe('22023');
    for (const [body, status, code, message] of [
      [{ statement: 'SELECT 1' }, 400, 'BAD_REQUEST', 'warehouse_id'],
      [{ warehouse_id: id }, 400, 'BAD_REQUEST', 'statement'],
      [
        { warehouse_id: 'nope', statement: 'SELECT 1' },
        400,
        'INVALID_PARAMETER_VALUE',
        'nope is not a valid endpoint id.',
      ],
      [
        { warehouse_id: '0123456789abcdef', statement: 'SELECT 1' },
        403,
        'PERMISSION_DENIED',
        'You do not have permission to use the SQL Warehouse.',
      ],
      [
        { warehouse_id: id, statement: 'SELECT 1', wait_timeout: '4s' },
        400,
        'INVALID_PARAMETER_VALUE',
        'The wait_timeout field must be 0 seconds',
      ],
      [
        { warehouse_id: id, statement: 'SELECT 1', format: 'CSV' },
        400,
        'INVALID_PARAMETER_VALUE',
        'Incompatible parameters',
      ],
      [{ warehouse_id: id, statement: 'SELECT 1', row_limit: -1 }, 400, 'INVALID_PARAMETER_VALUE', 'row_limit'],
      [{ warehouse_id: id, statement: 'SELECT 1', byte_limit: 26214401 }, 400, 'INVALID_PARAMETER_VALUE', 'byte_limit'],
      [{ warehouse_id: id, statement: 5 }, 400, 'MALFORMED_REQUEST', 'statement'],
    ] as const)
      expect(refusal(await ask('POST', PATH, body)), JSON.stringify(body)).toEqual({
        status,
        code,
        message: expect.stringContaining(message),
      });
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect(refusal(await ask('GET', `${PATH}/${unknown}`))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(refusal(await ask('GET', `${PATH}/x`))).toMatchObject({
      message: 'Error while parsing type: statement_id.',
    });
    expect(await good(ask('POST', `${PATH}/${unknown}/cancel`))).toEqual({});
    const { statement_id } = await good(run(ask, id, 'SELECT 1'));
    expect(refusal(await ask('GET', `${PATH}/${statement_id}/result/chunks/1`))).toMatchObject({
      status: 400,
      message: 'The chunk_index 1 is out of bounds.',
    });
  });
});
