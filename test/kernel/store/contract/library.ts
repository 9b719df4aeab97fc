import { defineLibrary } from '../../../../src/kernel/store/typed/library.ts';

/** Functions for both engines; SQLite calls them in a separate thread if it has one. */
export const LIBRARY = defineLibrary({
  name: 'test',
  module: import.meta.url,
  functions: {
    test_double: (value) => (typeof value === 'number' ? value * 2 : null),
    test_refuse: (value) => {
      throw new Error(`no ${value}`);
    },
  },
  postgres: `
    CREATE OR REPLACE FUNCTION cloudjar.test_double(bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT $1 * 2';
    CREATE OR REPLACE FUNCTION cloudjar.test_refuse(bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
      BEGIN RAISE EXCEPTION 'no %', $1 USING ERRCODE = 'CJ001'; END $$;`,
});
