import { collection, number, text } from '../../../kernel/store/index.ts';
import type { SlotName, Value } from '../model/types.ts';

/**
 * A record of any table of any company. All share one collection, whose columns have a different meaning for every table: a custom API
 * needs no database change, and a jar that never uses the application has one more table rather than eighty.
 */
export interface BusinessRecord {
  /** The system id, in lower case. */
  id: string;
  /** `<company or tenant>/<table>` */
  list: string;
  /** Only values that differ from the empty value of their field. */
  values: Record<string, Value>;
  /** Values of the fields that the table stores in columns, including empty ones. */
  slots: Partial<Record<SlotName, string | number>>;
  createdAt: number;
  createdBy: string;
  modifiedAt: number;
  modifiedBy: string;
}

const textSlot = (slot: SlotName) => text<BusinessRecord>(({ slots }) => slots[slot] as string | undefined);
const numberSlot = (slot: SlotName) => number<BusinessRecord>(({ slots }) => slots[slot] as number | undefined);

/** Keyed `<company or tenant>/<table>/<id>`. */
export const records = collection<BusinessRecord>('business.records', {
  fields: {
    list: text(({ list }) => list),
    id: text(({ id }) => id),
    t1: textSlot('t1'),
    t2: textSlot('t2'),
    t3: textSlot('t3'),
    t4: textSlot('t4'),
    t5: textSlot('t5'),
    t6: textSlot('t6'),
    t7: textSlot('t7'),
    t8: textSlot('t8'),
    n1: numberSlot('n1'),
    n2: numberSlot('n2'),
    n3: numberSlot('n3'),
    n4: numberSlot('n4'),
    modified: number(({ modifiedAt }) => modifiedAt),
    created: number(({ createdAt }) => createdAt),
  },
  indexes: [
    ['list', 't1', 'n1'],
    ['list', 't2', 't1'],
    ['list', 't3', 't1'],
    ['list', 'n1'],
    ['list', 'modified'],
  ],
});

/** A number series, which numbers new records. */
export interface NumberSeries {
  /** The last number given out, such as `S-ORD101042`; its final digits are incremented. */
  last: string;
  step: number;
}

/** Keyed `<company>/<series>`. */
export const numberSeries = collection<NumberSeries>('business.number_series');
