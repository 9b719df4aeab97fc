// A typed get by key through Kysely, on a given connection. Its SQLite dialect expects the interface of better-sqlite3; statements are
// cached by their SQL, so that the query builder is measured and not the preparation of statements.
import { Kysely, SqliteDialect } from 'kysely';

/**
 * @param {import('node:sqlite').DatabaseSync} db with a table docs(key, body)
 */
export function openKysely(db) {
  const statements = new Map();
  const prepare = (sql) => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      const prepared = db.prepare(sql);
      statement = {
        reader: sql.startsWith('select'),
        all: (parameters) => prepared.all(...parameters),
        run: (parameters) => prepared.run(...parameters),
      };
      statements.set(sql, statement);
    }
    return statement;
  };
  const kysely = new Kysely({ dialect: new SqliteDialect({ database: { prepare, close() {} } }) });
  const query = (key) => kysely.selectFrom('docs').select('body').where('key', '=', key);
  return {
    compile: (key) => query(key).compile(),
    get: async (key) => (await query(key).executeTakeFirst())?.body,
  };
}
