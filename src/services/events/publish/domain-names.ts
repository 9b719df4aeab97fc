import { resourceKey } from '../../../kernel/arm/index.ts';
import { NAME } from '../topics/names.ts';
import type { Plan } from './plan.ts';

/** The topic of a domain that an event names by name or id. Returns undefined if it belongs to another domain or is no valid name. */
export function topicNameIn({ key }: Plan, named: string, aliases: readonly string[]): string | undefined {
  if (!named.startsWith('/')) return NAME.test(named) ? named : undefined;
  const name = named.slice(named.lastIndexOf('/') + 1);
  const isHere = resourceKey(named, aliases) === `${key}/topics/${name.toLowerCase()}`;
  return isHere && NAME.test(name) ? name : undefined;
}
