import type { Place } from '../../../../kernel/arm/body/index.ts';
import { custom, type ReadContext } from './context.ts';
import { says } from './wording.ts';

const LONGEST_URL = 8192;
const NEEDS_HTTPS =
  "'endpointUrl' has to be an address with https (on this machine http is accepted with --allow-http-loopback).";
const NOT_KNOWN = "'endpointUrl' is required: 'endpointBaseUrl' differs from the current endpoint.";

/** Removes the parts of the address that may be secret. */
export const baseOf = (url: string): string => url.replace(/[?#].*$/s, '').replace(/^([a-z]+:\/\/)[^/]*@/i, '$1');

/** The address of a web hook; empty if it was sent and is invalid. */
export const endpointUrl = () =>
  custom((given, at): string => {
    const problem = problemOf(given, at.context);
    if (problem !== undefined) at.wrong(says(problem));
    return problem === undefined && typeof given === 'string' ? given.trim() : '';
  });

function problemOf(given: unknown, { mayUseHttp }: ReadContext): string | undefined {
  if (typeof given !== 'string') return "'endpointUrl' has to be a string.";
  const value = given.trim();
  if (value === '') return "'endpointUrl' is required.";
  const url = value.length > LONGEST_URL ? null : URL.parse(value);
  if (!url || url.hostname === '')
    return `'endpointUrl' has to be an absolute address of at most ${LONGEST_URL} characters.`;
  return url.protocol === 'https:' || (url.protocol === 'http:' && mayUseHttp(url)) ? undefined : NEEDS_HTTPS;
}

interface Addresses {
  readonly endpointUrl?: string;
  readonly endpointBaseUrl?: unknown;
}

/** A client may send back what a GET showed, without the query: the known address is then kept. */
export function checkAddress(draft: Addresses, at: Place<ReadContext>): void {
  const { endpointUrl: url, endpointBaseUrl: base } = draft;
  if (url !== undefined) return;
  if (base === undefined && at.context.keepsAddress && at.context.knownSecrets.endpointUrl !== undefined) return;
  if (base === undefined) at.member('endpointUrl').wrong(says("'endpointUrl' is required."));
  else if (typeof base !== 'string') at.member('endpointBaseUrl').wrong(says("'endpointBaseUrl' has to be a string."));
  else if (knownUrl(base, at.context) === undefined) at.member('endpointUrl').wrong(says(NOT_KNOWN));
}

function knownUrl(base: string, { known, knownSecrets }: ReadContext): string | undefined {
  return known?.destination?.properties.endpointBaseUrl === base ? knownSecrets.endpointUrl : undefined;
}
