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

/** A management address that no route has: the gateway says which part of it is unknown, whatever the api-version. */
export async function unmatched(
  call: ArmCall,
  { allow, suggestion: route, hint }: Unserved,
): Promise<ApiError | undefined> {
  if (allow.length > 0) {
    // The address is known, and what it takes is told like everything else about it: to those who may call.
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
  /** The nearest route, and where all are listed. */
  readonly route: string;
  /** Where all are listed. */
  readonly list: string;
}

/** The error for a provider that the jar does not have. It names those that it has, by the prefix that the caller uses. */
export function unknownNamespace(jar: ArmJar, namespace: string, hints?: Hints): ApiError {
  const dot = namespace.indexOf('.');
  const prefix = namespace.slice(0, Math.max(0, dot));
  const spoken = jar.config.namespace.find((alias) => alias.toLowerCase() === prefix.toLowerCase());
  const names = jar.providers.map((each) => withPrefix(each.namespace, spoken ?? CANONICAL_PREFIX));
  // A prefix that the jar was not started with is a mistake of its own.
  const foreign = spoken === undefined && didYouMean(prefix, [CANONICAL_PREFIX]) === undefined;
  const same = foreign ? names.find((name) => ending(name) === ending(namespace)) : undefined;
  const near = same ?? didYouMean(namespace, names);
  const meant = near === undefined ? '' : ` Did you mean '${near}'?`;
  const start = same === undefined ? '' : ` 'cloudjar start --namespace ${prefix}' makes it the same.`;
  // One guess is enough.
  const hint = (near === undefined ? hints?.route : hints?.list) ?? '';
  const has = ` It has ${names.join(', ')}.`;
  return gatewayErrors.InvalidResourceNamespace(
    { namespace: shortened(namespace), more: `${meant}${start}${has}`, hint },
    { headers: GATEWAY_FAILURE },
  );
}

const ending = (namespace: string): string => namespace.slice(namespace.indexOf('.') + 1).toLowerCase();

const shortened = (text: string): string => text.slice(0, 200);
