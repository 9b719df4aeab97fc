import type { Chain } from '../../catalog/core/chain.ts';
import type { Properties } from '../sql/statement-syntax.ts';

/** The properties of a table, as texts. */
export function propertiesOf({ target }: Chain): Properties {
  const { properties } = target.fields;
  if (typeof properties !== 'object' || properties === null) return {};
  return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, String(value)]));
}
