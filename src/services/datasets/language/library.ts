import { type Cell, defineLibrary } from '../../../kernel/store/index.ts';
import { SCALAR_LIBRARY } from './scalar/library.ts';

const MANY_VALUES = 'A table of multiple values was supplied where a single value was expected.';

/** The SQL functions that compiled queries call, on both engines. */
export const QUERY_LIBRARY = defineLibrary({
  name: 'queries',
  module: import.meta.url,
  functions: {
    ...SCALAR_LIBRARY.functions,
    /** A table with at most one row can be used as a value. */
    dax_single: (count: Cell) => {
      if (Number(count) > 1) throw new Error(MANY_VALUES);
      return count;
    },
  },
  postgres: `${SCALAR_LIBRARY.postgres}
    CREATE OR REPLACE FUNCTION cloudjar.dax_single(count bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $fn$
    BEGIN
      IF count > 1 THEN RAISE EXCEPTION '${MANY_VALUES}' USING ERRCODE = 'CJ001'; END IF;
      RETURN count;
    END $fn$;`,
});
