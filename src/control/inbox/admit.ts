import { knownOrigin } from '../../kernel/auth/index.ts';
import { retryHeaders, sourceOf } from '../../kernel/limits/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import { controlErrors } from '../family.ts';
import { NEW_INBOXES } from './bounds.ts';
import { inboxErrors } from './errors.ts';

type Sender = Pick<Call, 'jar' | 'remoteAddress' | 'headers' | 'origin' | 'secure'>;

/** Whether a request may make an inbox without being counted: one of this machine, and of no page of another origin. */
export const mayMakeInbox = (call: Sender): boolean => !isStranger(call) && foreignPageOf(call) === undefined;

/** Whether any other request may make an inbox; one that is there may be sent to by anybody. */
export async function admitNewInbox(call: Sender): Promise<void> {
  const origin = foreignPageOf(call);
  if (origin !== undefined) throw controlErrors.ForeignOrigin({ origin });
  if (isStranger(call)) await countNewInbox(call);
}

/**
 * A page that somebody happens to visit can send to this machine without being allowed to read the answer. It says where it is from, or the
 * browser does for it: an image has no `Origin`.
 */
function foreignPageOf(call: Sender): string | undefined {
  const { origin, 'sec-fetch-site': site } = call.headers;
  if (typeof origin === 'string' && origin.toLowerCase() !== knownOrigin(call)) return origin;
  return site === 'cross-site' || site === 'same-site' ? site : undefined;
}

async function countNewInbox({ jar, remoteAddress }: Sender): Promise<void> {
  const source = sourceOf(remoteAddress);
  const decision = await jar.limits.take([{ limit: NEW_INBOXES, scope: [source] }], { id: source });
  if (decision.allowed) return;
  throw inboxErrors.TooManyNewInboxes({ source }, { headers: retryHeaders(decision) });
}

/**
 * Another machine, or this one by a name that is not the jar's: that of a tunnel, or of a page which has bound its own name to this machine. Such a
 * page is not told from a tunnel by its GETs, which have no `Origin`, so both are counted.
 */
const isStranger = (call: Sender): boolean =>
  !isThisMachine(sourceOf(call.remoteAddress)) || knownOrigin(call) !== call.origin;

const isThisMachine = (source: string): boolean => source === '::1' || source.startsWith('127.');
