import { isList, isObject, type Json } from '../../../kernel/values/index.ts';

/** Jobs in a snapshot file without secrets: clusters keep the URL of an image, and lose the login for its registry. */

const LOGIN = 'basic_auth';

export const IMAGE_LOGINS = {
  what: 'logins for images in the clusters of jobs',
  afterwards: 'They are removed: update the jobs with new ones',
} as const;

export const hasImageLogin = (value: Json | undefined): boolean =>
  isList(value)
    ? value.some(hasImageLogin)
    : isObject(value) && (value[LOGIN] !== undefined || Object.values(value).some(hasImageLogin));

/** `JSON.parse` calls this reviver for every member, at any depth. */
const withoutLogin = (name: string, value: unknown): unknown => (name === LOGIN ? undefined : value);

/** For settings that are JSON. */
export const withoutImageLogins = <Settings extends Json>(settings: Settings): Settings =>
  JSON.parse(JSON.stringify(settings), withoutLogin);
