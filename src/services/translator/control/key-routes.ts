import { type Route, routeOf } from '../../../kernel/http/index.ts';
import { deleteKey, getKey, listKeys, putKey } from './keys.ts';

/** Control routes of subscription keys. */
export const keyControl: readonly Route[] = [
  routeOf(
    {
      method: 'GET',
      path: '/_jar/translator/keys',
      operation: 'Jar_ListTranslatorKeys',
      summary: 'The subscription keys of the translator by their names, without their secrets',
    },
    listKeys,
  ),
  routeOf(
    {
      method: 'GET',
      path: '/_jar/translator/keys/{name}',
      operation: 'Jar_GetTranslatorKey',
      secretBodies: true,
      summary: 'One subscription key, with its secret',
    },
    getKey,
  ),
  routeOf(
    {
      method: 'PUT',
      path: '/_jar/translator/keys/{name}',
      operation: 'Jar_PutTranslatorKey',
      secretBodies: true,
      summary:
        'Creates or replaces a subscription key; without a secret, the existing one is kept or a new one is generated',
    },
    putKey,
  ),
  routeOf(
    {
      method: 'DELETE',
      path: '/_jar/translator/keys/{name}',
      operation: 'Jar_DeleteTranslatorKey',
      summary: 'Removes a subscription key and invalidates its tokens',
    },
    deleteKey,
  ),
];
