import { canonicalNamespace } from '../../../kernel/arm/index.ts';
import { BILLING_NAMESPACE } from '../names.ts';

/** A billing scope: the part of a billing account that pays for a subscription. */
export type BillingScope =
  | { readonly kind: 'invoiceSections'; readonly account: string; readonly profile: string; readonly section: string }
  | { readonly kind: 'customers'; readonly account: string; readonly customer: string }
  | { readonly kind: 'enrollmentAccounts'; readonly account: string; readonly enrollmentAccount: string };

/** Parses a billing scope, with or without its provider in front; undefined if it has none of the three forms. */
export function parseBillingScope(text: string, aliases: readonly string[]): BillingScope | undefined {
  const [first, ...segments] = withoutProvider(text.split('/'), aliases);
  if (first !== '' || segments.some((segment) => segment === '')) return undefined;
  const [accounts, account, kind, name, sections, section] = segments;
  if (accounts?.toLowerCase() !== 'billingaccounts' || account === undefined || name === undefined) return undefined;
  const form = [kind, sections].join('/').toLowerCase();
  if (segments.length === 6 && form === 'billingprofiles/invoicesections' && section !== undefined)
    return { kind: 'invoiceSections', account, profile: name, section };
  if (segments.length !== 4) return undefined;
  if (form === 'customers/') return { kind: 'customers', account, customer: name };
  if (form === 'enrollmentaccounts/') return { kind: 'enrollmentAccounts', account, enrollmentAccount: name };
  return undefined;
}

function withoutProvider(segments: readonly string[], aliases: readonly string[]): readonly string[] {
  const [first = '', providers, namespace = '', ...rest] = segments;
  const isBilling =
    providers?.toLowerCase() === 'providers' &&
    canonicalNamespace(namespace, aliases).toLowerCase() === BILLING_NAMESPACE.toLowerCase();
  return isBilling ? [first, ...rest] : segments;
}
