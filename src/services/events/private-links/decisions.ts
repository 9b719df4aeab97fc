import type { Resource } from '../../../kernel/arm/index.ts';
import { isObject, type Json } from '../../../kernel/values/index.ts';

/** The owner's decision about a private endpoint that leads to a topic. */
export type Decision = {
  readonly status: string;
  readonly description: string;
  readonly actionsRequired: string;
};

type Endpoint = Pick<Resource, 'id' | 'createdAt'>;

/** Stored in `extra` of the topic: deleted with the topic, and not shown in answers. */
const MEMBER = 'privateEndpoints';

/** Includes `createdAt`: a recreated endpoint of the same name is another endpoint. */
const keyOf = ({ id, createdAt }: Endpoint): string => `${id.toLowerCase()} ${createdAt}`;

/** Returns undefined if the owner has not decided. */
export function decisionOn({ extra }: Pick<Resource, 'extra'>, endpoint: Endpoint): Decision | 'removed' | undefined {
  const decisions = extra[MEMBER];
  const found = isObject(decisions) ? decisions[keyOf(endpoint)] : undefined;
  if (found === undefined) return undefined;
  if (!isObject(found)) return 'removed';
  const { status, description, actionsRequired } = found;
  return { status: String(status), description: String(description), actionsRequired: String(actionsRequired) };
}

/** Returns the topic with the decision added. */
export function withDecision(parent: Resource, endpoint: Endpoint, decision: Decision | 'removed'): Resource {
  const before = parent.extra[MEMBER];
  const decisions = { ...(isObject(before) && before), [keyOf(endpoint)]: decision };
  return { ...parent, extra: { ...parent.extra, [MEMBER]: decisions } };
}

/** The decisions, which a PUT of the topic keeps. */
export function keptDecisions(existing: Pick<Resource, 'extra'> | undefined): { readonly [member: string]: Json } {
  const before = existing?.extra[MEMBER];
  return before === undefined ? {} : { [MEMBER]: before };
}
