import { Type } from 'typebox';
import { canonicalNamespace, isGuid } from '../ids.ts';
import { type Field, type PresenceOf, TEXT } from './field.ts';
import { complain, type LeafOptions, wrongType } from './leaves.ts';

const ID = /^\/subscriptions\/([^/]+)\/resourceGroups\/[^/]+\/providers\/([^/]+)((?:\/[^/]+\/[^/]+)+)$/i;
const LONGEST_ID = 2048;

/** Id of a resource of a type such as `Vendor.Web/sites/functions`; stored with the canonical provider prefix. */
export function resourceId<Context, const O extends LeafOptions<Context, string>>(
  type: string,
  options: O,
): Field<string, string, Context, PresenceOf<O>> {
  const { wrong, check } = options;
  return {
    options,
    shape: TEXT,
    schema: () => Type.String({ description: `The id of a resource of the type ${type}` }),
    read(given, at) {
      if (typeof given !== 'string') return wrongType(at, { type: 'string' });
      const id = canonicalId(given, type, at.reading.aliases);
      if (id === undefined) complain(at, 'form', { type: 'string', rule: idRule(type) }, wrong);
      else check?.(id, at);
      return id ?? given;
    },
  };
}

export const idRule = (type: string): string =>
  `the id of a resource of the type ${type}: /subscriptions/…/resourceGroups/…/providers/${exampleOf(type)}`;

/** `Vendor.Web/sites/…/functions/…` */
const exampleOf = (type: string): string =>
  type
    .split('/')
    .map((part, i) => (i === 0 ? part : `${part}/…`))
    .join('/');

/** The id with the canonical provider prefix; undefined if it is not of that type. Types are compared without case. */
export function canonicalId(id: string, type: string, aliases: readonly string[]): string | undefined {
  const parts = id.length > LONGEST_ID ? null : ID.exec(id.trim());
  const [, subscription = '', namespace = '', rest = ''] = parts ?? [];
  if (!parts || !isGuid(subscription)) return undefined;
  const canonical = canonicalNamespace(namespace, aliases);
  const types = rest.split('/').filter((_, i) => i % 2 === 1);
  if ([canonical, ...types].join('/').toLowerCase() !== type.toLowerCase()) return undefined;
  return `${id.trim().slice(0, -(namespace.length + rest.length))}${canonical}${rest}`;
}
