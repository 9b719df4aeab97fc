import type { DatasetsCall } from './jar.ts';

type Asked = Pick<DatasetsCall, 'origin' | 'params'>;

/** What stands in front of `/$metadata` in the context of an answer. */
export const contextBase = ({ origin }: Pick<Asked, 'origin'>): string => `${origin}/v1.0/myorg`;

/** Where the datasets of the workspace of a call are. */
export const placePath = ({ origin, params }: Asked): string =>
  params.group === undefined ? `${origin}/v1.0/myorg` : `${origin}/v1.0/myorg/groups/${params.group}`;

/** `…/v1.0/myorg/groups/{id}/$metadata#datasets`, as every answer names what it is. */
export const contextOf = (call: Asked, what: string): { readonly '@odata.context': string } => ({
  '@odata.context': `${placePath(call)}/$metadata#${what}`,
});
