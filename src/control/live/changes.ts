import { type Static, Type } from 'typebox';
import { changeRecords, type Filter, type Reader } from '../../kernel/store/index.ts';
import { ChangeView, changeView } from '../changes.ts';
import { fitting } from './fit.ts';
import { prefixOf } from './requests.ts';

const READ = 50;
const SAMPLE = { most: 20, bytes: 7 * 1024 };
const SUBJECTS = { most: READ, bytes: 3 * 1024 };
/** Larger data is left out, so that one large record does not take the place of all others. */
const LARGEST_DATA = 2048;

export const ChangesSchema = Type.Object(
  {
    count: Type.Integer({ minimum: 0 }),
    sample: Type.Array(
      Type.Object({
        ...ChangeView.properties,
        isCut: Type.Optional(Type.Literal(true, { description: 'The data is large: it is null here' })),
      }),
      { description: 'The newest first, as far as they fit' },
    ),
    subjects: Type.Array(Type.String(), {
      description: `The first four segments of the subjects of the newest ${READ} records`,
    }),
  },
  { description: 'Change records since the previous frame' },
);

type Changes = Static<typeof ChangesSchema>;

export const NO_CHANGES: Changes = { count: 0, sample: [], subjects: [] };

/** Counts the records after one cursor up to another, and reads the newest of them. */
export async function readRecords(store: Reader, from: number, to: number): Promise<Changes> {
  const filter: Filter = {
    op: 'and',
    args: [
      { op: 'gt', field: 'number', value: from },
      { op: 'le', field: 'number', value: to },
    ],
  };
  const order = [{ field: 'number', descending: true }];
  const [count, { items }] = await Promise.all([
    store.count(changeRecords, { filter }),
    store.query(changeRecords, { filter, order, limit: READ }),
  ]);
  const shown = items.map((item) =>
    item.value.data.length > LARGEST_DATA
      ? { ...changeView({ ...item, value: { ...item.value, data: 'null' } }), isCut: true as const }
      : changeView(item),
  );
  const subjects = new Set(items.map(({ value }) => prefixOf(value.subject)));
  return { count, sample: fitting(shown, SAMPLE), subjects: fitting(subjects, SUBJECTS) };
}
