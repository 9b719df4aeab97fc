import type { Field, SlotName } from './types.ts';

export const TEXT_SLOTS: readonly SlotName[] = ['t1', 't2', 't3', 't4', 't5', 't6', 't7', 't8'];
export const NUMBER_SLOTS: readonly SlotName[] = ['n1', 'n2', 'n3', 'n4'];

const NUMBERS: readonly Field['type'][] = ['decimal', 'int32', 'int64', 'dateTime'];
const WITHOUT_SLOT: readonly Field['type'][] = ['boolean', 'stream'];

/** Kind of column for a field: guids, dates and enumeration members are text, date-times are numbers. */
export function slotKindOf({ type }: Field): 'text' | 'number' | undefined {
  if (WITHOUT_SLOT.includes(type)) return undefined;
  return NUMBERS.includes(type) ? 'number' : 'text';
}
