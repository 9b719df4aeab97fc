import { type Answer, ok } from '../../../../kernel/http/index.ts';
import { contentOf } from '../../api/content.ts';
import { headOf } from '../../api/handle.ts';
import { prepare } from '../../api/prepare.ts';
import type { MailCall } from '../../api/request.ts';
import { acquireRequestLimits } from '../../api/request-limits.ts';
import type { ItemKind } from '../../attachments/types.ts';
import { findEvent } from '../../calendar/find.ts';
import { isOccurrence } from '../../calendar/types.ts';
import { errors } from '../../errors.ts';
import type { MailHttpCall } from '../../jar.ts';
import { itemKey } from '../../mailbox/create.ts';
import { findMessage } from '../../messages/find.ts';
import type { ItemBody } from '../../messages/types.ts';
import type { PatternedRecurrence } from '../../recurrence/types.ts';
import { recurrenceInWords } from '../recurrence-in-words.ts';
import { bodyDocument } from './document.ts';
import { inlineImages } from './images.ts';
import { sanitise } from './sanitise.ts';

/** A longer body is shown up to this length; its source is complete. */
export const LONGEST_SHOWN_BODY = 1_000_000;

interface Shown {
  readonly uid: string;
  readonly body: ItemBody;
  readonly recurrence?: PatternedRecurrence;
}

/** Body and attachments of a message or an event, for the page. */
export async function showBody(call: MailHttpCall, kind: ItemKind, key: string): Promise<Answer> {
  const { jar, caller, signal } = call;
  if (!caller) throw errors.InvalidAuthenticationToken({ reason: 'Access token is empty.' });
  const head = { ...headOf(call), version: 'beta' as const, path: `me/${kind}s/${encodeURIComponent(key)}` };
  const prepared = await prepare(jar, caller, head);
  if (prepared.isBasic) throw errors.ErrorAccessDenied();
  const { mailbox } = prepared;
  const release = await acquireRequestLimits(jar, {
    application: caller.applicationId,
    mailbox: mailbox.id,
    caller,
    bytes: 0,
  });
  try {
    const item = { ...head, ...prepared, jar, bytes: undefined, signal, responseHeaders: {}, json: () => undefined };
    const { uid, body, recurrence } = await (kind === 'message' ? shownMessage(item) : shownEvent(item));
    const content = body.content.slice(0, LONGEST_SHOWN_BODY);
    const images = await inlineImages(jar, itemKey(mailbox.id, uid), content);
    const asHtml = contentOf({ ...body, content }, { body: 'html' }).content;
    const { html, blocked } = await sanitise(asHtml, images);
    return ok({
      document: bodyDocument(html, body.contentType),
      blocked,
      isShortened: content.length < body.content.length,
      recurrence: recurrence ? recurrenceInWords(recurrence) : null,
    });
  } finally {
    release?.();
  }
}

async function shownMessage(call: MailCall): Promise<Shown> {
  const { uid, body, meeting } = (await findMessage(call)).value;
  return { uid, body, ...(meeting?.recurrence && { recurrence: meeting.recurrence }) };
}

async function shownEvent(call: MailCall): Promise<Shown> {
  const { item } = await findEvent(call);
  const recurrence = isOccurrence(item) ? undefined : item.series?.recurrence;
  return { uid: item.uid, body: item.body, ...(recurrence && { recurrence }) };
}
