import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../../support/jars.ts';
import { good, person } from '../../support.ts';
import { SqlBench } from './support.ts';

const UC = '/api/2.1/unity-catalog';

onAnyStore('data platform: who may do what by SQL', (bench) => {
  let sql: SqlBench;
  let other: SqlBench;
  let user: string;

  beforeEach(async () => {
    await bench.jar.reset();
    sql = await SqlBench.of(bench);
    const ask = await person(bench, 'licensed');
    other = sql.as(ask);
    ({ userName: user } = await good(ask('GET', '/preview/scim/v2/Me')));
    const access_control_list = [{ user_name: user, permission_level: 'CAN_USE' }];
    await good(sql.ask('PATCH', `/permissions/sql/warehouses/${sql.warehouse}`, { access_control_list }));
    await sql.rows('CREATE CATALOG private');
    await sql.rows('CREATE SCHEMA private.s');
    await sql.rows("CREATE TABLE private.s.t AS SELECT 1 AS id, 'secret' AS v");
  });

  const refused = async (statement: string): Promise<string> => {
    const { state, message } = await other.refusal(statement);
    expect(state, message).toBe('42501');
    return message;
  };
  const grant = (privilege: string, on: string): Promise<unknown> =>
    sql.rows(`GRANT ${privilege} ON ${on} TO \`${user}\``);

  it('reading needs USE CATALOG, USE SCHEMA and SELECT, writing MODIFY, and the content of a schema without access stays hidden', async () => {
    expect(await refused('SELECT * FROM private.s.t')).toContain(
      `[INSUFFICIENT_PERMISSIONS] Insufficient privileges: User does not have USE CATALOG on Catalog 'private'. (user: ${user})`,
    );
    // A missing table is refused with the same message.
    expect(await refused('SELECT * FROM private.s.nope')).toBe(await refused('SELECT * FROM private.s.t'));
    await grant('USE CATALOG', 'CATALOG private');
    expect(await refused('SELECT * FROM private.s.t')).toContain("USE SCHEMA on Schema 'private.s'");
    await grant('USE SCHEMA', 'SCHEMA private.s');
    expect(await refused('SELECT * FROM private.s.t')).toContain("SELECT on Table 'private.s.t'");
    expect((await other.refusal('SELECT * FROM private.s.nope')).state).toBe('42P01');
    for (const statement of [
      'INSERT INTO private.s.t VALUES (2, NULL)',
      'UPDATE private.s.t SET id = 2',
      'DELETE FROM private.s.t',
      'TRUNCATE TABLE private.s.t',
      'MERGE INTO private.s.t USING (SELECT 1 AS id) s ON t.id = s.id WHEN MATCHED THEN DELETE',
      'DROP TABLE private.s.t',
      'ALTER TABLE private.s.t ADD COLUMN x INT',
      "COMMENT ON TABLE private.s.t IS 'mine'",
      `GRANT SELECT ON TABLE private.s.t TO \`${user}\``,
      'DESCRIBE private.s.t',
      'DESCRIBE HISTORY private.s.t',
      'SHOW CREATE TABLE private.s.t',
      'CREATE TABLE private.s.mine (a INT)',
      'CREATE TABLE private.s.mine AS SELECT 1 AS a',
      'CREATE VIEW private.s.mine AS SELECT 1 AS a',
      'CREATE TABLE main.default.mine AS SELECT * FROM private.s.t',
      'CREATE VIEW main.default.mine AS SELECT * FROM private.s.t',
      'CREATE SCHEMA private.mine',
      'CREATE CATALOG mine',
      'DROP SCHEMA private.s CASCADE',
      'DROP CATALOG private CASCADE',
    ])
      await refused(statement);
    expect(await other.rows('SELECT * FROM private.information_schema.tables')).toEqual([]);
    expect(await other.rows('SHOW TABLES IN private.s')).toEqual([]);

    await grant('SELECT', 'TABLE private.s.t');
    expect(await other.rows('SELECT * FROM private.s.t')).toEqual([['1', 'secret']]);
    expect(await other.rows('SHOW TABLES IN private.s')).toEqual([['s', 't', 'false']]);
    await refused('INSERT INTO private.s.t VALUES (2, NULL)');
    await grant('MODIFY', 'TABLE private.s.t');
    expect(await other.rows('INSERT INTO private.s.t VALUES (2, NULL)')).toEqual([['1', '1']]);
    // A user who may write but not read cannot learn anything by writing.
    await sql.rows(`REVOKE SELECT ON TABLE private.s.t FROM \`${user}\``);
    expect(await other.rows('INSERT INTO private.s.t VALUES (3, NULL)')).toEqual([['1', '1']]);
    await refused("DELETE FROM private.s.t WHERE v = 'secret'");
    await refused('UPDATE private.s.t SET id = 5');
    expect(await sql.rows('SELECT count(*) FROM private.s.t')).toEqual([['3']]);
  });

  it('a view reads with the rights of its owner, and loses them with the owner', async () => {
    await sql.rows('CREATE VIEW private.s.v AS SELECT id FROM private.s.t');
    await grant('USE CATALOG', 'CATALOG private');
    await grant('USE SCHEMA', 'SCHEMA private.s');
    await refused('SELECT * FROM private.s.v');
    await grant('SELECT', 'TABLE private.s.v');
    expect(await other.rows('SELECT * FROM private.s.v')).toEqual([['1']]);
    await refused('SELECT * FROM private.s.t');
    await sql.rows(`ALTER VIEW private.s.v SET OWNER TO \`${user}\``);
    await refused('SELECT * FROM private.s.v');
    expect((await sql.refusal('SELECT * FROM private.s.v')).state).toBe('42501');
  });

  it('a statement runs with the rights that its user has when it runs', async () => {
    await grant('USE CATALOG', 'CATALOG private');
    await grant('USE SCHEMA', 'SCHEMA private.s');
    await grant('SELECT', 'TABLE private.s.t');
    await good(sql.ask('POST', `/sql/warehouses/${sql.warehouse}/stop`));
    await bench.jar.clock.advance('1m');
    const begun = await other.send('SELECT * FROM private.s.t', { wait_timeout: '0s' });
    await good(
      sql.ask('PATCH', `${UC}/permissions/table/private.s.t`, { changes: [{ principal: user, remove: ['SELECT'] }] }),
    );
    await bench.jar.clock.advance('5m');
    const { status } = await good(other.ask('GET', `/sql/statements/${begun.statement_id}`));
    expect(status).toMatchObject({ state: 'FAILED', sql_state: '42501' });
  });

  it('row filters and masks are not run, so reading such tables is refused', async () => {
    await good(
      sql.ask('POST', `${UC}/functions`, {
        function_info: {
          name: 'hide',
          catalog_name: 'private',
          schema_name: 's',
          input_params: { parameters: [{ name: 'x', type_text: 'string', type_name: 'STRING', position: 0 }] },
          data_type: 'STRING',
          full_data_type: 'string',
          routine_body: 'SQL',
          routine_definition: "'***'",
          parameter_style: 'S',
          is_deterministic: true,
          sql_data_access: 'CONTAINS_SQL',
          is_null_call: false,
          security_type: 'DEFINER',
          specific_name: 'hide',
        },
      }),
    );
    const columns = [{ name: 'a', type_name: 'STRING', mask: { function_name: 'private.s.hide' } }];
    const table = {
      catalog_name: 'private',
      schema_name: 's',
      name: 'masked',
      table_type: 'EXTERNAL',
      data_source_format: 'DELTA',
    };
    await good(
      sql.ask('POST', `${UC}/tables`, { ...table, storage_location: 'abfss://a@b.dfs.vendor.example/c', columns }),
    );
    await sql.rows("INSERT INTO private.s.masked VALUES ('hidden')");
    for (const statement of [
      'SELECT a FROM private.s.masked',
      'SELECT count(*) FROM private.s.masked',
      "UPDATE private.s.masked SET a = 'x'",
    ])
      expect((await sql.refusal(statement)).state).toBe('0A000');
  });
});
