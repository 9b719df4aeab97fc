import type { DatasetsCall } from './jar.ts';

type Asked = Pick<DatasetsCall, 'origin' | 'params'>;

/** The part of an OData context before `/$metadata`. */
export const contextBase = ({ origin }: Pick<Asked, 'origin'>): string => `${origin}/v1.0/myorg`;

/** Base address of the datasets of the call's workspace. */
export const placePath = ({ origin, params }: Asked): string =>
  params.group === undefined ? `${origin}/v1.0/myorg` : `${origin}/v1.0/myorg/groups/${params.group}`;

/** The OData context of a response, for example `…/v1.0/myorg/groups/{id}/$metadata#datasets`. */
export const contextOf = (call: Asked, what: string): { readonly '@odata.context': string } => ({
  '@odata.context': `${placePath(call)}/$metadata#${what}`,
});
