import { Type } from 'typebox';
import { errors } from '../errors.ts';
import type { Dataset } from '../model/types.ts';

/** Properties that responses include only if the request expands them. */
const EXPANDABLE = {
  encryption: ({ encryption }: Dataset) => ({ EncryptionStatus: encryption }),
} as const;

export const EXPAND_QUERY = Type.Object({
  $expand: Type.Optional(Type.String({ description: Object.keys(EXPANDABLE).join(', ') })),
});

/** Always included, whether expanded or not. */
const ALWAYS_SHOWN = ['users', 'upstreamDataflows', 'queryScaleOutSettings'];

type Expandable = keyof typeof EXPANDABLE;

/** The additional properties of a dataset requested with `$expand`. */
export function expander(expand = ''): (dataset: Dataset) => Readonly<Record<string, unknown>> {
  const names = expand.split(',').map((name) => name.trim());
  const wanted = names.flatMap((name) => (name === '' ? [] : expandable(name)));
  return (dataset) => Object.fromEntries(wanted.map((name) => [name, EXPANDABLE[name](dataset)]));
}

function expandable(name: string): readonly Expandable[] {
  const lower = name.toLowerCase();
  if (lower === 'encryption') return ['encryption'];
  if (ALWAYS_SHOWN.some((each) => each.toLowerCase() === lower)) return [];
  throw errors.InvalidRequest({ reason: `'$expand' does not support '${name.slice(0, 60)}'; use encryption.` });
}
