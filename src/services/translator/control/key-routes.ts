import { lazyRoute, type Route } from '../../../kernel/http/route.ts';

const code = () => import('./keys.ts');

/** Subscription keys while the jar runs. */
export const keyControl: readonly Route[] = [
  lazyRoute(
    {
      method: 'GET',
      path: '/_jar/translator/keys',
      operation: 'Jar_ListTranslatorKeys',
      summary: 'The subscription keys of the translator by their names, without their secrets',
    },
    async () => (await code()).listKeys,
  ),
  lazyRoute(
    {
      method: 'GET',
      path: '/_jar/translator/keys/{name}',
      operation: 'Jar_GetTranslatorKey',
      summary: 'One subscription key, with its secret',
    },
    async () => (await code()).getKey,
  ),
  lazyRoute(
    {
      method: 'PUT',
      path: '/_jar/translator/keys/{name}',
      operation: 'Jar_PutTranslatorKey',
      summary: 'Makes or replaces a subscription key; a secret that is not given stays as it is, or is made',
    },
    async () => (await code()).putKey,
  ),
  lazyRoute(
    {
      method: 'DELETE',
      path: '/_jar/translator/keys/{name}',
      operation: 'Jar_DeleteTranslatorKey',
      summary: 'Removes a subscription key, and with it the tokens that were given for it',
    },
    async () => (await code()).deleteKey,
  ),
];
