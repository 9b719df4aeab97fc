import { collection, number, text } from '../../../kernel/store/index.ts';
import type { SlotName, Value } from '../model/types.ts';

/**
 * A record of any table of any company. They all lie in one collection, whose columns mean something else for every table: so a custom
 * API needs no change to the database, and a jar that never uses them has one table more and not eighty.
 */
export interface BusinessRecord {
  /** The system id, in lower case. */
  id: string;
  /** `<company or tenant>/<table>` */
  list: string;
  /** Only what differs from the empty value of its field. */
  values: Record<string, Value>;
  /** What its table puts into columns, empty values included. */
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

/** Where the numbers of new records come from. */
export interface NumberSeries {
  /** `S-ORD101042`: the last that was given out; the digits at its end are counted up. */
  last: string;
  step: number;
}

/** Keyed `<company>/<series>`. */
export const numberSeries = collection<NumberSeries>('business.number_series');
