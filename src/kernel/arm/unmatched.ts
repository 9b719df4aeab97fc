import { didYouMean, suggestion } from '../config/index.ts';
import type { ApiError } from '../http/errors.ts';
import type { Unserved } from '../http/family.ts';
import { hintOf } from '../http/path-guide.ts';
import { authenticate } from './authenticate.ts';
import { GATEWAY_FAILURE, gatewayErrors } from './errors.ts';
import { CANONICAL_PREFIX, canonicalNamespace, parseScope, pathId } from './ids.ts';
import type { ArmJar } from './jar.ts';
import type { Provider } from './providers.ts';
import { withPrefix } from './resource-view.ts';
import type { ArmCall } from './route.ts';

/** For a management URL without a route: names the unknown part of the path, whatever the api-version. */
export async function unmatched(
  call: ArmCall,
  { allow, suggestion: route, hint }: Unserved,
): Promise<ApiError | undefined> {
  if (allow.length > 0) {
    // The URL exists but not with this method; allowed methods are shown only to authenticated callers.
    await authenticate(call);
    return undefined;
  }
  const { provider } = parseScope(pathId(call.path));
  if (!provider) return undefined;
  const { namespace, types } = provider;
  const known = providerOf(call.jar, namespace);
  if (!known) return unknownNamespace(call.jar, namespace, { route: hint, list: hintOf(undefined, call.origin) });
  const type = types.join('/');
  const names = known.types.map(({ name }) => name);
  if (type === '' || names.some((name) => name.toLowerCase() === type.toLowerCase())) return undefined;
  const versions = `${route ? '' : suggestion(type, names)}; this jar has ${names.join(', ')}`;
  return gatewayErrors.InvalidResourceType(
    { type: shortened(type), namespace: shortened(namespace), versions, hint },
    { headers: GATEWAY_FAILURE },
  );
}

const providerOf = ({ providers, config }: ArmJar, namespace: string): Provider | undefined => {
  const wanted = canonicalNamespace(namespace, config.namespace).toLowerCase();
  return providers.find((it) => it.namespace.toLowerCase() === wanted);
};

interface Hints {
  /** The most similar route, and where all routes are listed. */
  readonly route: string;
  /** Where all routes are listed. */
  readonly list: string;
}

/** The error for an unknown provider. It lists the available ones, with the prefix that the caller uses. */
export function unknownNamespace(jar: ArmJar, namespace: string, hints?: Hints): ApiError {
  const dot = namespace.indexOf('.');
  const prefix = namespace.slice(0, Math.max(0, dot));
  const spoken = jar.config.namespace.find((alias) => alias.toLowerCase() === prefix.toLowerCase());
  const names = jar.providers.map((each) => withPrefix(each.namespace, spoken ?? CANONICAL_PREFIX));
  // The prefix is not one that the jar was started with.
  const foreign = spoken === undefined && didYouMean(prefix, [CANONICAL_PREFIX]) === undefined;
  const same = foreign ? names.find((name) => ending(name) === ending(namespace)) : undefined;
  const near = same ?? didYouMean(namespace, names);
  const meant = near === undefined ? '' : ` Did you mean '${near}'?`;
  const start = same === undefined ? '' : ` Start with 'cloudjar start --namespace ${prefix}' to accept this prefix.`;
  // Suggests either a name or a route, not both.
  const hint = (near === undefined ? hints?.route : hints?.list) ?? '';
  const has = ` It has ${names.join(', ')}.`;
  return gatewayErrors.InvalidResourceNamespace(
    { namespace: shortened(namespace), more: `${meant}${start}${has}`, hint },
    { headers: GATEWAY_FAILURE },
  );
}

const ending = (namespace: string): string => namespace.slice(namespace.indexOf('.') + 1).toLowerCase();

const shortened = (text: string): string => text.slice(0, 200);
