import type { Resource } from '../../../kernel/arm/collections.ts';
import type { Jar } from '../../../kernel/jar-context.ts';
import type { Tx } from '../../../kernel/store/types.ts';
import type { DomainTopic } from '../collections.ts';

export interface PublishTarget {
  readonly kind: 'topic' | 'domain';
  readonly key: string;
  readonly resource: Resource;
}

/** The topic or domain that is published to at a region and a name; from memory where possible, as every publication asks. */
export async function findTarget(_jar: Jar, _region: string, _name: string): Promise<PublishTarget | undefined> {
  throw new Error('not there yet');
}

/** Both keys in the clear, opened once. */
export async function keysOf(_jar: Jar, _resourceKey: string): Promise<{ key1: string; key2: string }> {
  throw new Error('not there yet');
}

/** The topic of a domain, made where the domain does that by itself; undefined where it does not and there is none. */
export async function domainTopicFor(
  _tx: Tx,
  _jar: Jar,
  _domain: Resource,
  _name: string,
  _by: 'event' | 'subscription',
): Promise<DomainTopic | undefined> {
  throw new Error('not there yet');
}
