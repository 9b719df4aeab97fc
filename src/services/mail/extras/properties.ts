import { list, mistake, nullable, object, type Read, text } from '../api/fields.ts';
import { errors } from '../errors.ts';
import { type PropertyId, readPropertyId } from './property-id.ts';
import { normalValue } from './property-value.ts';

/** Validates extended properties. Null removes a property. */

const LONGEST_VALUE = 32 * 1024;
export const MOST_PROPERTIES = 200;
const MOST_VALUES = 1000;

type Kept<V> = Readonly<Record<string, V>>;
type Sent = Readonly<Record<string, unknown>>;

/** Accepts numbers and booleans, since clients write values in the type of the property. */
const valueText: Read<string> = (value, at) =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : text({ longest: LONGEST_VALUE })(value, at);

const single = object('singleValueLegacyExtendedProperty', { id: text({ longest: 500 }), value: nullable(valueText) });
const multi = object('multiValueLegacyExtendedProperty', {
  id: text({ longest: 500 }),
  value: nullable(list(valueText, MOST_VALUES)),
});

/** Merges the sent properties into those of an item. */
export function mergeSingle(before: Kept<string> = {}, sent: readonly Sent[] | undefined, at: string): Kept<string> {
  return merged(
    before,
    sent,
    (each, place) => {
      const { id: written, value } = single(each, place);
      const id = readId(written, place, false);
      return [id.id, value === undefined || value === null ? null : checked(id, value, `${place}/value`)];
    },
    at,
  );
}

export function mergeMulti(
  before: Kept<readonly string[]> = {},
  sent: readonly Sent[] | undefined,
  at: string,
): Kept<readonly string[]> {
  return merged(
    before,
    sent,
    (each, place) => {
      const { id: written, value } = multi(each, place);
      const id = readId(written, place, true);
      return [id.id, value?.map((one, index) => checked(id, one, `${place}/value[${index}]`)) ?? null];
    },
    at,
  );
}

function merged<V>(
  before: Kept<V>,
  sent: readonly Sent[] | undefined,
  read: (each: Sent, place: string) => readonly [id: string, value: V | null],
  at: string,
): Kept<V> {
  if (!sent || sent.length === 0) return before;
  // Names in ids are case-insensitive; the newest spelling is shown.
  const kept = new Map(Object.entries(before).map(([id, value]) => [id.toLowerCase(), [id, value] as const]));
  for (const [index, each] of sent.entries()) {
    const [id, value] = read(each, `${at}[${index}]`);
    if (value === null) kept.delete(id.toLowerCase());
    else kept.set(id.toLowerCase(), [id, value]);
  }
  if (kept.size > MOST_PROPERTIES) throw mistake(at, `an item can have at most ${MOST_PROPERTIES} extended properties`);
  return Object.fromEntries(kept.values());
}

function readId(written: string | undefined, at: string, isArray: boolean): PropertyId {
  if (written === undefined) throw mistake(`${at}/id`, 'it is required');
  const id = readPropertyId(written);
  if (id?.isArray === isArray) return id;
  const forms = `'{type} {guid} Name {name}', '{type} {guid} Id 0x8012' or '{type} 0x4001'`;
  const types = isArray ? 'a multi-value type such as StringArray' : 'a single-value type such as String';
  const reason = id
    ? `The property '${written.slice(0, 200)}' must have ${types}.`
    : `The id '${written.slice(0, 200)}' of an extended property is not valid; it must have the form ${forms}.`;
  throw errors.ErrorInvalidProperty({ reason }, { target: `${at}/id` });
}

function checked({ id, type }: PropertyId, value: string, at: string): string {
  const normal = normalValue(type, value);
  if (normal !== undefined) return normal;
  const reason = `'${value.slice(0, 60)}' is not a valid value of the property '${id}'.`;
  throw errors.ErrorInvalidProperty({ reason }, { target: at });
}
