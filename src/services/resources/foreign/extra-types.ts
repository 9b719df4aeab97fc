import { canonicalNamespace, GATEWAY_API_VERSIONS, type ResourceCapability } from '../../../kernel/arm/index.ts';
import type { ConfiguredBy } from '../../../kernel/service/index.ts';
import { isList, isObject, type Json } from '../../../kernel/values/index.ts';
import { type ForeignType, NAMES } from './rows.ts';

/** A type that `services.resources.extraTypes` declares. */
export interface ExtraType {
  readonly type: string;
  readonly apiVersions?: readonly string[];
  readonly tracked?: boolean;
  readonly locations?: readonly string[];
  readonly movable?: boolean;
}

/** `Contoso.Widgets/gadgets/parts` */
export const TYPE_NAME = /^[A-Za-z][A-Za-z0-9]*(\.[A-Za-z][A-Za-z0-9]*)+(\/[A-Za-z][A-Za-z0-9]*){1,5}$/;

/**
 * Record types that users declare in the settings. This runs before the settings are validated, so it skips invalid entries; the validation
 * rejects them afterwards.
 */
export function extraTypesIn({ services, namespace }: ConfiguredBy): ForeignType[] {
  const settings = services.resources as Json | undefined;
  const declared = isObject(settings) ? (settings.extraTypes as Json | undefined) : undefined;
  if (!isList(declared)) return [];
  return declared.flatMap((each) => {
    const extra = typeof each === 'string' ? { type: each } : (each as unknown);
    return isExtraType(extra) ? [foreignOf(extra, namespace)] : [];
  });
}

const isExtraType = (value: unknown): value is ExtraType =>
  isObject(value) && typeof value.type === 'string' && TYPE_NAME.test(value.type);

function foreignOf(extra: ExtraType, aliases: readonly string[]): ForeignType {
  const [namespace = '', ...names] = extra.type.split('/');
  const { apiVersions = GATEWAY_API_VERSIONS, tracked = names.length === 1, locations, movable = true } = extra;
  const capabilities: ResourceCapability[] = [
    ...(movable ? (['CrossResourceGroupResourceMove', 'CrossSubscriptionResourceMove'] as const) : []),
    ...(tracked ? (['SupportsTags', 'SupportsLocation'] as const) : []),
  ];
  return {
    type: [canonicalNamespace(namespace, aliases), ...names].join('/'),
    apiVersions,
    tracked,
    ...(locations && { locations }),
    capabilities,
    namePattern: NAMES.usual,
  };
}
