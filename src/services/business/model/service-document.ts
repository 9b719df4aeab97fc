import type { Api } from './types.ts';

export interface ServiceDocument {
  readonly '@odata.context': string;
  readonly value: readonly { readonly name: string; readonly kind: 'EntitySet'; readonly url: string }[];
}

/** The service document; `base` is the address of the API as the caller knows it. */
export const serviceDocument = (api: Api, base: string): ServiceDocument => ({
  '@odata.context': `${base}/$metadata`,
  value: api.pages.map(({ set }) => ({ name: set, kind: 'EntitySet', url: set })),
});
