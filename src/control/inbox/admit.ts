import { knownOrigin } from '../../kernel/auth/index.ts';
import { retryHeaders, sourceOf } from '../../kernel/limits/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import { controlErrors } from '../family.ts';
import { NEW_INBOXES } from './bounds.ts';
import { inboxErrors } from './errors.ts';

type Sender = Pick<Call, 'jar' | 'remoteAddress' | 'headers' | 'origin' | 'secure'>;

/** Whether a request may make an inbox; one that is there may be sent to by anybody. */
export async function admitNewInbox(call: Sender): Promise<void> {
  refuseForeignPage(call);
  await countNewInbox(call);
}

/**
 * A page that somebody happens to visit can send to this machine without being allowed to read the answer. It says where it is from, or the
 * browser does for it: an image has no `Origin`.
 */
function refuseForeignPage(call: Sender): void {
  const { origin, 'sec-fetch-site': site } = call.headers;
  const isForeign = typeof origin === 'string' && origin.toLowerCase() !== knownOrigin(call);
  if (isForeign || site === 'cross-site' || site === 'same-site') {
    throw controlErrors.ForeignOrigin({ origin: String(origin ?? site) });
  }
}

async function countNewInbox({ jar, remoteAddress }: Sender): Promise<void> {
  const source = sourceOf(remoteAddress);
  if (isThisMachine(source)) return;
  const decision = await jar.limits.take([{ limit: NEW_INBOXES, scope: [source] }], { id: source });
  if (decision.allowed) return;
  throw inboxErrors.TooManyNewInboxes({ source }, { headers: retryHeaders(decision) });
}

const isThisMachine = (source: string): boolean => source === '::1' || source.startsWith('127.');
