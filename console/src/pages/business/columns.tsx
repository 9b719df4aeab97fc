import { Time } from '../../shared/format/time.tsx';
import type { Column } from '../../shared/list/list.tsx';
import type { BusinessRecord } from './api.ts';
import { type EntitySet, memberText, type Property, titleOf } from './metadata.ts';

/** What most sets name their records by, in this order. */
const NAMES = ['number', 'code', 'displayName', 'name', 'description', 'status', 'postingDate'] as const;
const MOST_COLUMNS = 8;
/** Shown even where there is little room. */
const ALWAYS = 3;

const NUMBERS = /^Edm\.(Decimal|Double|Int)/;

/** The selected properties, otherwise those that name the records of the set, and the first others. */
export function columnsOf({ properties }: EntitySet, selected: readonly string[] | undefined): readonly Property[] {
  if (selected) {
    const known = selected.flatMap((name) => properties.filter((property) => property.name === name));
    if (known.length > 0) return known;
  }
  const scalar = properties.filter(
    ({ name, type }) => type !== 'Edm.Guid' && type !== 'Edm.Stream' && !/^(system|timestamp)/.test(name),
  );
  const first = NAMES.flatMap((name) => scalar.filter((property) => property.name === name));
  return [...new Set([...first, ...scalar])].slice(0, MOST_COLUMNS);
}

export function columnOf(property: Property, index: number): Column<BusinessRecord> {
  const { name, type, members } = property;
  const isNumber = NUMBERS.test(type);
  return {
    id: name,
    title: titleOf(name),
    width: isNumber || members || type.startsWith('Edm.Date') ? 'minmax(6rem, 1fr)' : 'minmax(7rem, 2fr)',
    order: name,
    isNumber,
    isExtra: index >= ALWAYS,
    cell: (row) => <Value of={row} property={property} />,
  };
}

interface ValueProps {
  readonly of: BusinessRecord;
  readonly property: Property;
}

/** A value as a person reads it; the year 1 is this API's way to say that there is no date. */
export function Value({ of, property: { name, type, members } }: ValueProps) {
  const value = of[name];
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' && type.startsWith('Edm.Date') && value.startsWith('0001-01-01')) return null;
  if (type === 'Edm.DateTimeOffset' && typeof value === 'string') return <Time at={value} />;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return members ? memberText(text) : text;
}
