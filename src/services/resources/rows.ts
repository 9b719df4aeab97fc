import { queryValue, type Resource, withPrefix } from '../../kernel/arm/index.ts';
import type { Call } from '../../kernel/service/index.ts';

/** Members that a row has only if `$expand` names them. */
const EXPANDED: Readonly<Record<string, (it: Resource) => readonly [name: string, value: unknown]>> = {
  createdtime: ({ createdAt }) => ['createdTime', new Date(createdAt).toISOString()],
  changedtime: ({ changedAt }) => ['changedTime', new Date(changedAt).toISOString()],
  provisioningstate: ({ properties }) => ['provisioningState', properties.provisioningState ?? 'Succeeded'],
};

/** Optional members beside `properties` that a row shows: before its location, and after it. */
const IN_FRONT = ['sku', 'kind', 'managedBy'] as const;
const BEHIND = ['identity', 'zones', 'plan', 'extendedLocation'] as const;

/** The row of a resource in lists across all types. */
export function rowView(
  call: Parameters<typeof queryValue>[0] & Pick<Call, 'query'>,
  prefix: string,
): (it: Resource) => Record<string, unknown> {
  const asked = (queryValue(call, '$expand') ?? '').toLowerCase().split(',');
  const expanded = Object.entries(EXPANDED).flatMap(([name, read]) =>
    asked.some((each) => each.trim() === name) ? [read] : [],
  );
  return (it) => ({
    id: withPrefix(it.id, prefix),
    name: it.name,
    type: withPrefix(it.type, prefix),
    ...beside(it, IN_FRONT),
    ...(it.location !== undefined && { location: it.location }),
    ...beside(it, BEHIND),
    ...Object.fromEntries(expanded.map((read) => read(it))),
    ...(Object.keys(it.tags).length > 0 && { tags: it.tags }),
  });
}

const beside = ({ extra }: Resource, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.flatMap((name) => (extra[name] === undefined ? [] : [[name, extra[name]]])));
