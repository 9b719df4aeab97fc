import { type Answer, noContent, ok, type Route, routeOf } from '../../../../kernel/http/index.ts';
import { isoTime } from '../../../../kernel/time/index.ts';
import { acquireRequestLimits } from '../../api/request-limits.ts';
import { errors } from '../../errors.ts';
import { errorAnswer } from '../../family.ts';
import { type MailHttpCall, routeCode } from '../../jar.ts';
import { mailboxMark, writeContainerId } from '../../mailbox/ids.ts';
import { expiryId } from '../../work.ts';
import { LARGEST_RANGE_BYTES } from '../limits.ts';
import { uploadUid, uploadUrl } from './address.ts';
import { sessionNamed } from './find.ts';
import { UPLOAD_MOUNT } from './mount.ts';
import { type Received, receiveRange } from './put.ts';
import { readRange } from './range.ts';
import { removeSession } from './remove.ts';
import type { UploadSession } from './types.ts';

type UploadCall = Omit<MailHttpCall, 'params'> & { readonly params: { readonly session: string } };

/** Rejects an invalid signature before the body is read. */
function admit({ jar, params }: UploadCall): void {
  if (uploadUid(jar, params.session) === undefined) throw errors.ErrorItemNotFound__Upload();
}

const uidOf = ({ jar, params }: UploadCall): string => uploadUid(jar, params.session) ?? '';

const putRange = routeCode(['session'], {
  admit,
  async handle(call): Promise<Answer> {
    const { jar } = call;
    const uid = uidOf(call);
    const bytes = Buffer.isBuffer(call.body) ? call.body : Buffer.alloc(0);
    const { application, mailbox, callerId, callerName, size } = await sessionNamed(jar.store, jar, uid);
    const range = readRange(call.headers['content-range'], bytes.length, size);
    const caller = { objectId: callerId, name: callerName };
    const release = await acquireRequestLimits(jar, { application, mailbox, caller, bytes: bytes.length });
    try {
      return answerOf(call, await jar.store.transact((tx) => receiveRange(tx, jar, uid, range, bytes)));
    } finally {
      release?.();
    }
  },
});

const getSession = routeCode(['session'], {
  admit,
  async handle(call): Promise<Answer> {
    const session = await sessionNamed(call.jar.store, call.jar, uidOf(call));
    return ok({
      '@odata.context': `${call.origin}/${session.version}/$metadata#microsoft.graph.uploadSession`,
      uploadUrl: uploadUrl(call.jar, call.origin, session.uid),
      expirationDateTime: isoTime(session.expiresAt),
      nextExpectedRanges: nextRanges(session),
    });
  },
});

const deleteSession = routeCode(['session'], {
  admit,
  handle: ({ jar, ...call }): Promise<Answer> =>
    jar.store.transact(async (tx) => {
      const session = await sessionNamed(tx, jar, uploadUid(jar, call.params.session) ?? '');
      await removeSession(tx, session);
      await tx.cancel(expiryId(session.uid));
      return noContent();
    }),
});

/** After the first range, only the offset. */
const nextRanges = ({ received, size }: UploadSession): readonly string[] =>
  received === size ? [] : [received === 0 ? '0-' : String(received)];

function answerOf(call: UploadCall, { session, isExpected }: Received): Answer {
  const base = `${call.origin}/${session.version}`;
  const nextExpectedRanges = nextRanges(session);
  if (!isExpected) {
    const answer = errorAnswer(errors.ErrorInvalidRange({ next: nextExpectedRanges[0] ?? 'none' }), call);
    return { ...answer, body: { ...Object(answer.body), nextExpectedRanges } };
  }
  const item = `Users('${session.mailbox}')/${session.itemName.replace(/^\w/, (first) => first.toUpperCase())}`;
  if (session.attachment !== undefined) {
    const id = writeContainerId(mailboxMark(session.mailbox), session.attachment);
    return { status: 201, headers: { location: `${base}/${item}/Attachments('${id}')` } };
  }
  return ok({
    '@odata.context': `${base}/$metadata#${item}/AttachmentSessions/$entity`,
    ExpirationDateTime: isoTime(session.expiresAt),
    nextExpectedRanges,
  });
}

const path = `${UPLOAD_MOUNT}/{session}`;

/** Without authentication: the URL is the permission. */
export const uploadRoutes: readonly Route[] = [
  routeOf(
    {
      method: 'PUT',
      path,
      operation: 'Mail_PutUploadRange',
      summary: 'Uploads the next bytes of a large attachment',
      accepts: 'bytes',
      bodyLimitBytes: LARGEST_RANGE_BYTES,
      open: true,
    },
    putRange,
  ),
  routeOf(
    {
      method: 'GET',
      path,
      operation: 'Mail_GetUploadSession',
      summary: 'The progress of the upload of a large attachment',
      open: true,
    },
    getSession,
  ),
  routeOf(
    {
      method: 'DELETE',
      path,
      operation: 'Mail_DeleteUploadSession',
      summary: 'Cancels the upload of a large attachment',
      open: true,
    },
    deleteSession,
  ),
];
